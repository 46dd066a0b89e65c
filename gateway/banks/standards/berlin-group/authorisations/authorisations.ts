/** Starts, reads and completes authorisations of payments, cancellations, baskets and consents. */
import type { ReportDeviation } from '../../../../platform/http/tolerant-reader.ts'
import { chooseScaApproach } from '../../../connector/bank.ts'
import { BankError } from '../../../connector/bank-error.ts'
import { isBankError } from '../../../connector/bank-error-classification.ts'
import { redactAccountNumbers } from '../../../connector/bank-text.ts'
import type { Authorisations, BankCaller } from '../../../connector/connector.ts'
import type {
  AuthorisationReference,
  AuthorisationRequest,
  AuthorisationState,
  ScaApproachDetails,
  StartedAuthorisation,
} from '../../../connector/sca-authorisation.ts'
import { requireApiUrl } from '../../../transport/bank-urls.ts'
import { dialectOf } from '../dialect.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { parseBankErrors } from '../transport/bank-errors.ts'
import { psuIdentityHeaders, scaPreferenceHeaders } from '../transport/request-headers.ts'
import { parseAnswer, path, sendAndParse, sendChecked, sendRequest } from '../transport/send-request.ts'
import { hrefOf, parseAuthorisation, parseAuthorisationStarted } from '../wire.ts'
import { exchangeCode } from './oauth.ts'
import { qrCodeOf } from './qr-code.ts'
import { methodWithoutChoice, readChosenApproach, readScaApproach } from './read-sca-approach.ts'
import { toAuthorisationState } from './translate-authorisations.ts'

const BAD_REQUEST = 400

/** A kind of resource that is authorised. */
export type ScaTarget<Target> = {
  /** Part of operation names, e.g. `Payment`. */
  readonly name: string
  /** Path of its authorisations. */
  collection(caller: BankCaller, target: Target): string
  /** OAuth scope of the resource. */
  scope(target: Target): string
  /** Additional headers for the start. */
  headers?(caller: BankCaller): Record<string, string>
  /** Derives the outcome of the last authorisation from the resource's status. */
  readTarget(caller: BankCaller, target: Target, begun: AuthorisationReference): Promise<AuthorisationState>
}

/** The authorisation operations for one kind of resource. */
export function createAuthorisations<Target>(line: BankClient, signed: ScaTarget<Target>): Authorisations<Target> {
  const at = (caller: BankCaller, target: Target, { authorisationId }: { readonly authorisationId: string }) =>
    `${signed.collection(caller, target)}${path(authorisationId)}`
  return {
    start: (caller, target, request) => start(line, signed, caller, { target, ...request }),
    read: (caller, target, begun) => read(line, signed, caller, { target, ...begun }),
    selectMethod: (caller, target, begun, methodId) =>
      selectScaMethod(line, caller, { name: signed.name, where: at(caller, target, begun), methodId }),
    complete: async (caller, target, begun, brought) => {
      const { confirmationParameter } = dialectOf(caller.bank.profile)
      const code = confirmationParameter === null ? undefined : brought.query[confirmationParameter]
      if (code !== undefined) {
        await confirmAuthorisation(line, caller, { name: signed.name, where: at(caller, target, begun), code })
      }
      const worth = await exchangeCode(line, caller.bank, brought)
      return worth === 'denied' ? null : worth
    },
  }
}

/**
 * Starts an authorisation and returns its SCA approach. At banks that started one implicitly with the resource too,
 * because its link has expired by now and has no return URL.
 */
async function start<Target>(
  line: BankClient,
  signed: ScaTarget<Target>,
  caller: BankCaller,
  { target, back, preferred }: AuthorisationRequest & { readonly target: Target },
): Promise<StartedAuthorisation> {
  const approach = chooseScaApproach(caller.bank.profile, preferred)
  const question = {
    operation: `start${signed.name}Authorisation`,
    purpose: 'authorisation',
    method: 'POST',
    path: signed.collection(caller, target),
    headers: {
      ...psuIdentityHeaders(caller),
      ...signed.headers?.(caller),
      ...scaPreferenceHeaders(caller, approach, back),
    },
    body: {},
  } as const
  const response = await sendRequest(line.fetch, caller, question)
  const started = parseAnswer(line, { bank: caller.bank, question, response }, parseAuthorisationStarted)
  const report: ReportDeviation = (deviation) =>
    line.observeDeviations({ bank: caller.bank.bic, operation: question.operation }, [deviation])
  const answered = { started, headers: response.headers, approach, scope: signed.scope(target), back, report }
  const { authorisationId } = started
  const read = await readScaApproach(line, caller, answered)
  const method =
    read.approach.type === 'method-choice' ? methodWithoutChoice(read.approach.methods, approach) : undefined
  if (method === undefined) {
    return { authorisationId, ...read }
  }
  const selection = { name: signed.name, where: `${question.path}${path(authorisationId)}`, methodId: method.id }
  return { authorisationId, ...read, approach: await selectScaMethod(line, caller, selection) }
}

/** Reads the state of an authorisation. Some banks answer 400 once it has ended: then the resource's status decides. */
async function read<Target>(
  line: BankClient,
  signed: ScaTarget<Target>,
  caller: BankCaller,
  begun: AuthorisationReference & { readonly target: Target },
): Promise<AuthorisationState> {
  const dialect = dialectOf(caller.bank.profile)
  const question = {
    operation: `get${signed.name}Authorisation`,
    purpose: 'status',
    method: 'GET',
    path: `${signed.collection(caller, begun.target)}${path(begun.authorisationId)}`,
  } as const
  const response = await sendRequest(line.fetch, caller, question)
  // Any other 400 is an error, e.g. because of a header, and says nothing about the authorisation.
  const { endedAuthorisation: ends } = dialect
  const errors = response.status === BAD_REQUEST && ends !== 'reported' ? parseBankErrors(response.body) : []
  if (errors.some(({ code }) => ends.includes(code))) {
    return await signed.readTarget(caller, begun.target, begun)
  }
  const answer = parseAnswer(line, { bank: caller.bank, question, response }, parseAuthorisation)
  const state = toAuthorisationState(answer, dialect)
  // A failed download of the QR image must not hide the state of the authorisation.
  const qr =
    state.state === 'open'
      ? await qrCodeOf(line, caller.bank, answer).catch((error: unknown) => {
          if (!(error instanceof BankError)) {
            throw error
          }
          return null
        })
      : null
  const isShown = qr?.kind === 'Dynamic' && (qr.image !== null || qr.code !== null)
  return isShown ? { ...state, qr } : state
}

/** An authorisation by its path, and the part of operation names for its kind. */
type AuthorisationResource = { readonly name: string; readonly where: string }

/** Longer than any code of a bank; longer values are forged. */
const CODE_MAX = 512

/** With these statuses no code is required any more. */
const FINAL: ReadonlySet<string> = new Set(['finalised', 'failed', 'exempted'])

/**
 * Sends the code only while the bank waits for one: banks count wrong codes, and a forged one must not spoil a pending
 * signature. The callback may arrive before the bank reports that it waits for the code: then `unavailable` is thrown,
 * and the same code may be sent again. A code that the bank rejects causes no error; the authorisation's status shows
 * the result.
 */
async function confirmAuthorisation(
  line: BankClient,
  caller: BankCaller,
  { name, where, code }: AuthorisationResource & { readonly code: string },
): Promise<void> {
  if (code === '' || code.length > CODE_MAX) {
    return
  }
  const reading = { operation: `get${name}Authorisation`, purpose: 'status', method: 'GET', path: where } as const
  const { scaStatus, _links } = await sendAndParse(line, caller, reading, parseAuthorisation)
  if (FINAL.has(scaStatus)) {
    return
  }
  if (scaStatus !== 'unconfirmed') {
    throw new BankError(
      'unavailable',
      `The bank says ${redactAccountNumbers(scaStatus)} and does not accept a confirmation code yet`,
    )
  }
  const href = hrefOf(_links, 'confirmation')
  await sendChecked(line.fetch, caller, {
    operation: `confirm${name}Authorisation`,
    purpose: 'confirmation',
    method: 'PUT',
    path: where,
    ...(href === undefined ? {} : { url: requireApiUrl(caller.bank, href) }),
    body: { confirmationCode: code },
  }).catch((error: unknown) => {
    if (!isBankError(error, 'access-denied')) {
      throw error
    }
  })
}

/** Returns the approach that follows. Throws `BankError`, of the kind `unsupported` where the user's codes are required. */
async function selectScaMethod(
  line: BankClient,
  caller: BankCaller,
  { name, where, methodId }: AuthorisationResource & { readonly methodId: string },
): Promise<ScaApproachDetails> {
  const question = {
    operation: `select${name}ScaMethod`,
    purpose: 'authorisation',
    method: 'PUT',
    path: where,
    headers: psuIdentityHeaders(caller),
    body: { authenticationMethodId: methodId },
  } as const
  const response = await sendRequest(line.fetch, caller, question)
  const answer = parseAnswer(line, { bank: caller.bank, question, response }, parseAuthorisation)
  return await readChosenApproach(line, caller, { started: answer, headers: response.headers })
}
