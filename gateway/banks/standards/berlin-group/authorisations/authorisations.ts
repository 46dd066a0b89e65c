/** Authorisations of whatever is signed: begun explicitly, read, and completed with what the browser brought back. */

import { confirm } from '../../../berlin-group/confirm.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { Authorisations, BankCaller } from '../../../connector/connector.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import type {
  AuthorisationAsked,
  AuthorisationState,
  BankTokens,
  BegunAuthorisation,
  BroughtBack,
  StartedAuthorisation,
} from '../../../connector/sca-authorisation.ts'
import { approachAt } from '../../../directory/bank.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import type { Line } from '../transport/bank-client.ts'
import { errorsOf } from '../transport/bank-errors.ts'
import { answerOf, deliver, identityHeaders, path, signingHeaders } from '../transport/send-request.ts'
import { readAuthorisation, readAuthorisationStarted } from '../wire.ts'
import { exchangeCode } from './oauth.ts'
import { qrCodeOf } from './qr-code.ts'
import { wayOf } from './sca-approach.ts'
import { authorisationState } from './translate-authorisations.ts'

const BAD_REQUEST = 400

/** What is signed: where its authorisations are, and what its banks tell of it. */
export type Signed<Target> = {
  /** As operations are named, e.g. `Payment`. */
  readonly name: string
  /** Where its authorisations are. */
  collection(caller: BankCaller, target: Target): string
  /** What an OAuth grant of it is called. */
  scope(target: Target): string
  /** What goes with the beginning of one. */
  headers?(caller: BankCaller): Record<string, string>
  /** Tells from what was signed how its last authorisation ended. */
  readTarget(caller: BankCaller, target: Target, begun: BegunAuthorisation): Promise<AuthorisationState>
}

/** The verbs for one kind of thing that is signed. */
export function authorisationsOf<Target>(line: Line, signed: Signed<Target>): Authorisations<Target> {
  return {
    start: (caller, target, asked) => start(line, signed, caller, { target, ...asked }),
    read: (caller, target, begun) => read(line, signed, caller, { target, ...begun }),
    complete: (caller, target, begun, brought) => complete(line, signed, caller, { target, begun, brought }),
  }
}

/**
 * Begins an authorisation and says how it is signed. So it is at banks too that began one unasked with what is signed:
 * that one's link would have run out by now, and leads back to nobody.
 */
async function start<Target>(
  line: Line,
  signed: Signed<Target>,
  caller: BankCaller,
  { target, back, preferred }: AuthorisationAsked & { readonly target: Target },
): Promise<StartedAuthorisation> {
  const approach = approachAt(caller.bank.profile, preferred)
  const question = {
    operation: `start${signed.name}Authorisation`,
    purpose: 'authorisation',
    method: 'POST',
    path: signed.collection(caller, target),
    headers: { ...identityHeaders(caller), ...signed.headers?.(caller), ...signingHeaders(caller, approach, back) },
    body: {},
  } as const
  const response = await deliver(line.fetch, caller, question)
  const started = answerOf(question, response, readAuthorisationStarted)
  const answered = { started, headers: response.headers, approach, scope: signed.scope(target), back }
  return { authorisationId: started.authorisationId, ...(await wayOf(line, caller, answered)) }
}

/** Reads how an authorisation stands. Some banks answer 400 once it is over: then what was authorised tells. */
async function read<Target>(
  line: Line,
  signed: Signed<Target>,
  caller: BankCaller,
  begun: BegunAuthorisation & { readonly target: Target },
): Promise<AuthorisationState> {
  const dialect = dialectOf(caller.bank.profile)
  const question = {
    operation: `get${signed.name}Authorisation`,
    purpose: 'status',
    method: 'GET',
    path: `${signed.collection(caller, begun.target)}${path(begun.authorisationId)}`,
  } as const
  const response = await deliver(line.fetch, caller, question)
  if (response.status === BAD_REQUEST && tellsOfEnd(response, dialect)) {
    return await signed.readTarget(caller, begun.target, begun)
  }
  const answer = answerOf(question, response, readAuthorisation)
  const state = authorisationState(answer, dialect)
  const qr = state.state === 'open' ? await qrCodeOf(line, caller.bank, answer).catch(nothingToShow) : null
  const isShown = qr?.kind === 'Dynamic' && (qr.image !== null || qr.code !== null)
  return isShown ? { ...state, qr } : state
}

/** Any other 400 is a fault, as of a header that the bank does not like, and says nothing of what was authorised. */
function tellsOfEnd({ body }: BankResponse, { endedAuthorisation }: Dialect): boolean {
  return endedAuthorisation !== 'told' && errorsOf(body).some(({ code }) => endedAuthorisation.includes(code))
}

/** How an authorisation stands does not depend on its picture. */
function nothingToShow(error: unknown): null {
  if (error instanceof BankRefusal) {
    return null
  }
  throw error
}

async function complete<Target>(
  line: Line,
  signed: Signed<Target>,
  caller: BankCaller,
  {
    target,
    begun,
    brought,
  }: { readonly target: Target; readonly begun: BegunAuthorisation; readonly brought: BroughtBack },
): Promise<BankTokens | null> {
  const { confirmationParameter } = dialectOf(caller.bank.profile)
  const code = confirmationParameter === null ? undefined : brought.query[confirmationParameter]
  if (code !== undefined) {
    const where = `${signed.collection(caller, target)}${path(begun.authorisationId)}`
    await confirm(line, caller, { name: signed.name, where, code })
  }
  const worth = await exchangeCode(line, caller.bank, brought)
  return worth === 'denied' ? null : worth
}
