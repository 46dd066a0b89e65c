/** Stores an order before it is submitted to the bank, so that a crash cannot lose track of it. */
import type { Bank } from '../../banks/connector/bank.ts'
import type { DomesticOrder } from '../../banks/connector/bank-order.ts'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { Quote } from '../../fx/store/quote.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { IdempotentRequest } from '../../platform/http/idempotency/idempotency.ts'
import { hashToken, newBankRequestId, newId, newToken } from '../../platform/ids.ts'
import { type Instruction, instructionOf, transactionsOf } from '../instruction.ts'
import { DUPLICATE_WITHIN } from '../parse/domestic-payment-warnings.ts'
import type { OrderRequest, Payment } from '../payment.ts'
import type { PayrollKey, TransactionRange } from '../payroll-order.ts'
import { findOpenOutcome, type PaymentKey } from '../store/payment-store.ts'
import { deleteSubmission, insertSubmission, type NewOrder, type SubmissionRow } from '../store/submission-store.ts'

/** The bank and the idempotency key of a request that initiates an order. */
export type Initiation = { readonly bank: Bank; readonly idempotent: IdempotentRequest | null }

/** An order that is stored and not submitted to the bank yet. */
export type Submission = {
  readonly partnerId: string
  readonly paymentId: string
  readonly instruction: Instruction
  readonly endToEndId: string
  readonly dueDate: Temporal.PlainDate
  /** The transactions of its instruction that it consists of, where these are stored one by one. */
  readonly transactions: (PayrollKey & TransactionRange) | undefined
  /** Whether it funds an exchange. */
  readonly isFunding: boolean
  /** The `X-Request-ID`, the same when the request is repeated with another token: the bank has not executed it. */
  readonly bankRequestId: string
  /** The URL to which the bank may send notifications. */
  readonly notification: string
  readonly notificationTokenHash: string
  /** Wall time after which recovery takes over the submission. */
  readonly recoverAt: Temporal.Instant
}

/** A stored submission; `duplicateOf` is the payment, or payroll, of an equal order of the last 24 hours. */
export type StoredSubmission = { readonly submission: Submission; readonly duplicateOf: string | null }

/** The request and the order for the bank that is built from it. */
export type OrderToSubmit = OrderRequest & {
  readonly order: Pick<DomesticOrder, 'endToEndId' | 'amount' | 'dueDate'> & {
    readonly debtor: { readonly bban: string }
  }
  /** The account number of the creditor as sent to the bank. */
  readonly creditorNumber: string
  /** Only for funding orders: the quote that is about to be booked, and the deadline for the signature. */
  readonly quote?: Pick<Quote, 'id' | 'expiresAt'> | undefined
}

/**
 * Stores a submission with one statement. Throws `conflict` while an equal order or the same idempotency key is still
 * open.
 */
export async function createSubmission(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  { order, creditorNumber: creditorBban, quote, ...request }: OrderToSubmit,
  { bank: { bic, countryCode }, idempotent }: Initiation,
): Promise<StoredSubmission> {
  const { endToEndId, amount, dueDate, debtor } = order
  const { id: consentId, organisationNumber } = consent
  const facts = { consentId, bic, countryCode, organisationNumber, endToEndId, amount, dueDate, creditorBban }
  const booked = quote && ({ exchange: 'booking', quoteId: quote.id, deadlineAt: quote.expiresAt } as const)
  const ofCompany = { ...facts, partnerId, id: newId(), payrollId: null, debtorBban: debtor.bban }
  const newOrder = { ...request, ...ofCompany, ...booked }
  const submission = newSubmission(context, newOrder)
  try {
    const row = submissionRowOf(context, newOrder, submission, idempotent)
    const { duplicateOf } = await insertSubmission(context.database, row)
    return { submission, duplicateOf }
  } catch (error) {
    deleteUnanswered(context, error, () => deleteSubmission(context.database, newOrder))
    throw await conflictErrorOf(context, error, newOrder)
  }
}

/** Returns a new, unique submission of an order; a resubmission is one as well. */
export function newSubmission(
  context: Context,
  order: OrderRequest &
    PaymentKey &
    Pick<Payment, 'payrollId' | 'endToEndId' | 'dueDate'> &
    Partial<Pick<Payment, 'exchange'>>,
): Submission {
  const { partnerId, id: paymentId, endToEndId, dueDate, exchange = null } = order
  const notificationToken = newToken()
  return {
    ...{ partnerId, paymentId, endToEndId, dueDate },
    instruction: instructionOf(order),
    transactions: transactionsOf(order),
    isFunding: exchange !== null,
    bankRequestId: newBankRequestId(),
    notification: `${context.config.baseUrl}/hints/payments/${partnerId}/${paymentId}/${notificationToken}`,
    notificationTokenHash: hashToken(notificationToken),
    recoverAt: recoverAt(context),
  }
}

/** Returns the row to store before the bank is called. */
export function submissionRowOf(
  { clock }: Context,
  { amount: { minor: amountMinor, currency }, ordered, ...order }: NewOrder,
  { bankRequestId, notificationTokenHash, recoverAt, instruction }: Submission,
  idempotent: IdempotentRequest | null,
): SubmissionRow {
  const createdAt = clock.now()
  return {
    ...{ ...order, amountMinor, currency, ordered: JSON.stringify(ordered) },
    ...{ bankRequestId, notificationTokenHash, recoverAt, createdAt },
    duplicatesSince: createdAt.subtract(DUPLICATE_WITHIN),
    ...idempotent?.startRowFor(instruction.id),
  }
}

/** Without an answer the order may be stored; the bank was not asked, so that it is not an unknown outcome. */
export function deleteUnanswered(context: Context, error: unknown, deleteStored: () => Promise<unknown>): void {
  if (error instanceof DatabaseUnavailable) {
    context.outcomes.record(deleteStored).catch(() => undefined)
  }
}

const openOutcomeText: Readonly<Record<Instruction['noun'], string>> = {
  payment:
    'An order with this endToEndId, amount and receiver was submitted to the bank and its outcome is unknown; poll the payment named here',
  payroll:
    'A payroll with the same transactions was submitted to the bank and its outcome is unknown. Follow the payroll with this payrollId',
}

/** The error for the partner while an equal order, or the same idempotency key, is open; any other error is returned unchanged. */
export async function conflictErrorOf(
  context: Context,
  error: unknown,
  order?: Parameters<typeof findOpenOutcome>[1] & PaymentKey & Pick<Payment, 'payrollId'>,
): Promise<unknown> {
  if (isConstraintViolation(error, 'idempotency_pkey')) {
    return apiError('conflict', 'The first request with this Idempotency-Key is still running')
  }
  if (order === undefined || !isConstraintViolation(error, 'payments_open_outcome')) {
    return error
  }
  const open = await findOpenOutcome(context.database, order)
  const named = open === undefined ? {} : instructionOf(open).named
  return apiError('conflict', openOutcomeText[instructionOf(order).noun], named)
}

/** The time that our own work may add to the call before recovery takes over. */
const RECOVERY_MARGIN_SECONDS = 5

/** Returns the time after which recovery takes over a request that starts now. */
export function recoverAt({ config, clock }: Context): Temporal.Instant {
  return clock.real().add({ seconds: callSecondsMax(config) + RECOVERY_MARGIN_SECONDS })
}
