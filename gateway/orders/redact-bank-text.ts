/** Wraps the bank operations on payroll orders and their baskets so that no text of the bank leaves them. */
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import {
  BankError,
  type BankErrorKind,
  type OrderError,
  UnreadableAnswerError,
  UnusableOrderIdError,
  unavailabilityOf,
} from '../banks/connector/bank-error.ts'
import type { BulkInitiationResult, BulkObservation, StatusObservation } from '../banks/connector/bank-order.ts'
import type { Authorisations, BasketProduct, OrderOperations } from '../banks/connector/connector.ts'
import type { AuthorisationState } from '../banks/connector/sca-authorisation.ts'

/** The replacements of the bank's texts, by status; other texts are dropped. */
const textByStatus: Readonly<Partial<Record<PaymentStatusValue, string>>> = {
  Rejected: 'The bank does not execute it',
  Cancelled: 'The bank reports that it was cancelled',
}

/** For banks that report a partial execution without the statuses of single transactions. */
const PARTIAL_EXECUTION_TEXT = 'The bank executes a part of it and does not report which'

/** A status code of the standard; other values may be free text. */
const CODE = /^[A-Z]{4}$/

/** Returns the same operations with redacted errors and texts. */
export function withRedactedBankText({
  read,
  readOrder,
  authorisations,
  cancellation,
}: OrderOperations): OrderOperations {
  return {
    read: async (...args) => redactObservation(await withRedactedErrors(() => read(...args))),
    readOrder: (...args) => withRedactedErrors(() => readOrder(...args)),
    authorisations: redactAuthorisations(authorisations),
    cancellation: {
      cancel: (...args) => withRedactedErrors(() => cancellation.cancel(...args)),
      authorisations: redactAuthorisations(cancellation.authorisations),
    },
  }
}

/** Returns the same operations on baskets of payroll orders with redacted errors and texts. */
export function withRedactedBasketText({ create, drop, authorisations }: BasketProduct): BasketProduct {
  return {
    create: (...args) => withRedactedErrors(() => create(...args)),
    drop: (...args) => withRedactedErrors(() => drop(...args)),
    authorisations: redactAuthorisations(authorisations),
  }
}

/** Submits an order and redacts the answer or error. */
export async function submitWithRedactedBankText(
  initiate: () => Promise<BulkInitiationResult>,
): Promise<BulkInitiationResult> {
  const initiated = await withRedactedErrors(initiate)
  return { ...initiated, observation: redactStatusText(initiated.observation) }
}

/** Redacts the status texts of an order and of its transactions. */
function redactObservation(observation: BulkObservation): BulkObservation {
  const { elements } = observation
  const isPart = observation.status === 'InProgress' && observation.bankStatus === 'PART' && elements === undefined
  const redacted = redactStatusText(observation)
  return {
    ...(isPart ? { ...redacted, statusReasonText: PARTIAL_EXECUTION_TEXT } : redacted),
    ...(elements && { elements: elements.map(redactStatusText) }),
  }
}

function redactStatusText<Observation extends StatusObservation>(observation: Observation): Observation {
  const { status, statusReasonText, bankStatus } = observation
  const text = status === null || statusReasonText === null ? null : (textByStatus[status] ?? null)
  const code = status === null && !CODE.test(bankStatus) ? 'unknown' : bankStatus
  return { ...observation, statusReasonText: text, bankStatus: code }
}

/** Texts for the user during the signature remain the bank's; the reason for its end is redacted. */
function redactAuthorisations<Target>({
  start,
  read,
  selectMethod,
  complete,
}: Authorisations<Target>): Authorisations<Target> {
  return {
    start: (...args) => withRedactedErrors(() => start(...args)),
    read: async (...args) => redactAuthorisationState(await withRedactedErrors(() => read(...args))),
    ...(selectMethod && { selectMethod: (...args) => withRedactedErrors(() => selectMethod(...args)) }),
    complete: (...args) => withRedactedErrors(() => complete(...args)),
  }
}

function redactAuthorisationState(state: AuthorisationState): AuthorisationState {
  return state.text === null ? state : { ...state, text: textByAuthorisationState[state.state] ?? null }
}

const textByAuthorisationState: Readonly<Partial<Record<AuthorisationState['state'], string>>> = {
  rejected: 'The signature was rejected',
  cancelled: 'The signature was cancelled',
  expired: 'The time to sign has expired',
}

/** The cause of an error may contain the bank's answer and is dropped as well. */
async function withRedactedErrors<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof BankError ? redactBankError(error) : error
  }
}

function redactBankError(error: BankError): BankError {
  // Their texts are ours.
  if (error instanceof UnusableOrderIdError || error instanceof UnreadableAnswerError) {
    return error
  }
  const validationErrors = error.validationErrors.map((validationError) => ({
    ...validationError,
    text: bankErrorMessage({ kind: 'order-rejected', validationErrors: [validationError] }),
  }))
  return new BankError(error.kind, bankErrorMessage(error), validationErrors).saying(error.laterCalls)
}

const partByField: Readonly<Record<OrderError['field'], string>> = {
  debtorAccount: 'the debtor account',
  debtorName: 'the name of the debtor',
  creditorAccount: "the receiver's account",
  creditorName: "the receiver's name",
  creditorAgent: "the receiver's bank",
  creditorAddress: "the receiver's address",
  regulatoryReporting: 'the regulatory reporting',
  amount: 'the amount',
  remittance: 'the remittance information',
  dueDate: 'the due date',
  endToEndId: 'the endToEndId',
  other: 'a field of the order',
}

const causes: Readonly<Record<OrderError['cause'], string>> = {
  'too-long': ', which is too long',
  characters: ', which has characters that it does not support',
  invalid: '',
}

const textByKind: Readonly<Partial<Record<BankErrorKind, string>>> = {
  'ocr-rejected': 'The creditor requires a structured reference',
  'account-unknown': 'The bank does not know the debtor account',
  'due-date-rejected': 'The bank does not accept the due date',
  'access-denied': 'The bank does not permit the user to pay from this account',
  'unsupported-product': 'The bank does not offer such payments',
  'consent-invalid': 'The bank does not accept the consent',
  'token-invalid': 'The bank requires the user to sign in again',
  'authentication-busy': 'The bank is authenticating the user elsewhere',
  'too-many-reads': 'The bank accepts no more requests at the moment',
  unavailable: 'The bank cannot be reached at the moment',
  'unknown-resource': 'The bank does not hold the order',
  'expired-resource': 'The order has expired at the bank',
  'cancellation-rejected': 'The bank does not cancel the order',
  'basket-rejected': 'The bank does not sign these together',
  'outcome-unknown': 'The bank did not answer; the request may or may not have been executed',
  unsupported: 'The bank offers no supported way to sign this',
  'request-rejected': 'The bank rejects this kind of request',
  misconfigured: 'The bank rejects the configuration of this gateway',
}

/** Returns one sentence without a full stop. */
export function bankErrorMessage(error: Pick<BankError, 'kind' | 'validationErrors'>): string {
  const { kind, validationErrors } = error
  const parts = new Set(
    validationErrors.map(({ field, member, cause }) => `${member ?? partByField[field]}${causes[cause]}`),
  )
  return kind === 'order-rejected' && parts.size > 0
    ? `The bank does not accept ${[...parts].join('; nor ')}`
    : (textOfUnavailable(error) ?? textByKind[kind] ?? 'The bank does not accept the order')
}

function textOfUnavailable(error: unknown): string | undefined {
  const isExplained =
    error instanceof BankError && (error.laterCalls.isRateLimit || error instanceof UnreadableAnswerError)
  return isExplained ? unavailabilityOf(error) : undefined
}
