/** Starts, reads and completes authorisations of payments, cancellations, baskets and consents. */
import type { ReportDeviation } from '../../../../platform/http/tolerant-reader.ts'
import { chooseScaApproach } from '../../../connector/bank.ts'
import { BankError } from '../../../connector/bank-error.ts'
import { isBankError } from '../../../connector/bank-error-classification.ts'
import type { SubmittedOrder } from '../../../connector/bank-order.ts'
import { redactAccountNumbers } from '../../../connector/bank-text.ts'
import type { Authorisations, BankCaller } from '../../../connector/connector.ts'
import type {
  AuthorisationReference,
  AuthorisationState,
  ScaApproachDetails,
} from '../../../connector/sca-authorisation.ts'
import { requireApiUrl } from '../../../transport/bank-urls.ts'
import { dialectOf } from '../dialect.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { parseBankErrors } from '../transport/bank-errors.ts'
import { scaPreferenceHeaders, userHeaders } from '../transport/request-headers.ts'
import { parseAnswer, path, sendAndParse, sendChecked, sendRequest } from '../transport/send-request.ts'
import { hrefOf, parseAuthorisation, parseAuthorisationStarted } from '../wire.ts'
import { exchangeCode } from './oauth.ts'
import { qrCodeOf } from './qr-code.ts'
import { methodWithoutChoice, readChosenApproach, readScaApproach } from './read-sca-approach.ts'
import { stateByFinalScaStatus, toAuthorisationState } from './translate-authorisations.ts'

const BAD_REQUEST = 400

/** A kind of resource of which something is authorised. */
export type ScaTarget<Target> = {
  /** Part of operation names, e.g. `Payment`. */
  readonly name: string
  /** A basket is signed as an order is. */
  readonly signs: 'order' | 'cancellation' | 'consent'
  /** Path of the resource. */
  where(caller: BankCaller, target: Target): string
  /** Derives the outcome of the last authorisation from the resource's status. */
  readTarget(caller: BankCaller, target: Target, begun: AuthorisationReference): Promise<AuthorisationState>
}

/**
 * The authorisation operations for one kind of resource. One is also started at banks that start one implicitly with the
 * resource, because its link has expired by now and has no return URL.
 */
export function createAuthorisations<Target extends string | SubmittedOrder>(
  line: BankClient,
  signed: ScaTarget<Target>,
): Authorisations<Target> {
  const collection = signed.signs === 'cancellation' ? 'cancellation-authorisations' : 'authorisations'
  const at = (caller: BankCaller, target: Target, { authorisationId }: { readonly authorisationId: string }) =>
    `${signed.where(caller, target)}${path(collection, authorisationId)}`
  return {
    start: async (caller, target, { back, preferred }) => {
      const { name, signs } = signed
      const operation = `start${name}Authorisation`
      const where = `${signed.where(caller, target)}/${collection}`
      const approach = chooseScaApproach(caller.bank.profile, preferred)
      const user = userHeaders(caller, { withConsent: signs !== 'consent' })
      const headers = { ...user, ...scaPreferenceHeaders(caller, approach, back) }
      const question = { operation, purpose: 'authorisation', method: 'POST', path: where, headers, body: {} } as const
      const response = await sendRequest(line.fetch, caller, question)
      const started = parseAnswer(line, { bank: caller.bank, question, response }, parseAuthorisationStarted)
      const report: ReportDeviation = (deviation) =>
        line.observeDeviations({ bank: caller.bank.bic, operation }, [deviation])
      const id = typeof target === 'string' ? target : target.bankPaymentId
      const scope = `${signs === 'consent' ? 'AIS' : 'PIS'}:${id}`
      const answered = { started, headers: response.headers, approach, scope, back, report }
      const { authorisationId } = started
      const read = await readScaApproach(line, caller, answered)
      const method =
        read.approach.type === 'method-choice' ? methodWithoutChoice(read.approach.methods, approach) : undefined
      if (method === undefined) {
        return { authorisationId, ...read }
      }
      const selection = { name, where: at(caller, target, started), methodId: method.id }
      return { authorisationId, ...read, approach: await selectScaMethod(line, caller, selection) }
    },
    read: async (caller, target, begun) => {
      const where = at(caller, target, begun)
      const state = await readAuthorisation(line, caller, { name: signed.name, where })
      return state ?? (await signed.readTarget(caller, target, begun))
    },
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
 * Reads the state of an authorisation. Null at banks that answer 400 once it has ended: then the resource's status
 * decides.
 */
async function readAuthorisation(
  line: BankClient,
  caller: BankCaller,
  { name, where }: AuthorisationResource,
): Promise<AuthorisationState | null> {
  const dialect = dialectOf(caller.bank.profile)
  const question = { operation: `get${name}Authorisation`, purpose: 'status', method: 'GET', path: where } as const
  const response = await sendRequest(line.fetch, caller, question)
  // Any other 400 is an error, e.g. because of a header, and says nothing about the authorisation.
  const { endedAuthorisation: ends } = dialect
  const errors = response.status === BAD_REQUEST && ends !== 'reported' ? parseBankErrors(response.body) : []
  if (errors.some(({ code }) => ends.includes(code))) {
    return null
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
  if (stateByFinalScaStatus.has(scaStatus)) {
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
    headers: userHeaders(caller),
    body: { authenticationMethodId: methodId },
  } as const
  const response = await sendRequest(line.fetch, caller, question)
  const answer = parseAnswer(line, { bank: caller.bank, question, response }, parseAuthorisation)
  return await readChosenApproach(line, caller, { started: answer, headers: response.headers })
}
