/** Authorisations of payments and consents: begun explicitly, with the user sent to the bank, and read. */
import { addressOf } from '../bank-links.ts'
import { BankRefusal } from '../bank-refusal.ts'
import type { AuthorisationState, BankCaller, BankFetch, ReturnAddresses, StartedAuthorisation } from '../connector.ts'
import { ask, identityHeaders, path, returnHeaders } from './ask.ts'
import { dialectOf } from './dialect.ts'
import { authorisationState } from './translate.ts'
import { readAuthorisation, readAuthorisationStarted } from './wire.ts'

type Start = {
  readonly operation: string
  /** Path of what is authorised. */
  readonly of: string
  readonly headers?: Readonly<Record<string, string>>
  readonly back: ReturnAddresses
}

/** Begins an authorisation and says where the user's browser goes. */
export async function startAuthorisation(
  fetch: BankFetch,
  caller: BankCaller,
  start: Start,
): Promise<StartedAuthorisation> {
  const { operation, of, headers, back } = start
  const started = await ask(
    fetch,
    caller,
    {
      operation,
      purpose: 'authorisation',
      method: 'POST',
      path: `${of}/authorisations`,
      headers: { ...identityHeaders(caller), ...headers, ...returnHeaders(back) },
      body: {},
    },
    readAuthorisationStarted,
  )
  const { scaRedirect: redirect, scaOAuth } = started._links ?? {}
  if (redirect === undefined) {
    const instead = scaOAuth === undefined ? 'without an address for the browser' : 'by OAuth'
    throw new BankRefusal('misconfigured', `The bank began an authorisation ${instead}, which is not spoken here`)
  }
  return { authorisationId: started.authorisationId, redirectUrl: addressOf(caller.bank, redirect.href) }
}

/** Reads how an authorisation stands. */
export async function readAuthorisationState(
  fetch: BankFetch,
  caller: BankCaller,
  { operation, of, authorisationId }: { operation: string; of: string; authorisationId: string },
): Promise<AuthorisationState> {
  const answer = await ask(
    fetch,
    caller,
    { operation, purpose: 'status', method: 'GET', path: `${of}/authorisations${path(authorisationId)}` },
    readAuthorisation,
  )
  return authorisationState(answer, dialectOf(caller.bank.profile))
}
