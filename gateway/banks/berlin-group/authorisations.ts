/** Authorisations of payments and consents: begun explicitly, with the user sent to the bank, and read. */
import { addressOf } from '../bank-links.ts'
import { BankRefusal } from '../bank-refusal.ts'
import type { AuthorisationState, BankCaller, BankFetch, ReturnAddresses, StartedAuthorisation } from '../connector.ts'
import { answerOf, ask, deliver, identityHeaders, path, returnHeaders } from './ask.ts'
import { dialectOf } from './dialect.ts'
import { authorisationState } from './translate.ts'
import { readAuthorisation, readAuthorisationStarted } from './wire.ts'

const BAD_REQUEST = 400

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

type Read = {
  readonly operation: string
  readonly of: string
  readonly authorisationId: string
  /** Tells from what was authorised how its last authorisation ended. */
  readonly readTarget: () => Promise<AuthorisationState>
}

/** Reads how an authorisation stands. Some banks answer 400 once it is over: then what was authorised tells. */
export async function readAuthorisationState(
  fetch: BankFetch,
  caller: BankCaller,
  { operation, of, authorisationId, readTarget }: Read,
): Promise<AuthorisationState> {
  const dialect = dialectOf(caller.bank.profile)
  const whole = `${of}/authorisations${path(authorisationId)}`
  const question = { operation, purpose: 'status', method: 'GET', path: whole } as const
  const response = await deliver(fetch, caller, question)
  const isOver = dialect.endedAuthorisation === 'refused' && response.status === BAD_REQUEST
  return isOver ? await readTarget() : authorisationState(answerOf(question, response, readAuthorisation), dialect)
}
