/** Stores an order before it is submitted to the bank, so that a crash cannot lose track of it. */
import type { ExchangeTerms } from '../../../contract/fx/exchange-terms.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { DomesticOrder } from '../../banks/connector/bank-order.ts'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { IdempotentRequest } from '../../platform/http/idempotency/idempotency.ts'
import { hashToken, newBankRequestId, newId, newToken } from '../../platform/ids.ts'
import type { OrderRequest } from '../payment.ts'
import { findOpenOutcome, type PaymentKey } from '../store/payment-store.ts'
import { deleteSubmission } from '../store/submission-outcome-store.ts'
import type { CreateSubmission } from '../store/submission-store.ts'

/** An order that is stored and not submitted to the bank yet. */
export type Submission<Order = DomesticOrder> = {
  readonly partnerId: string
  readonly paymentId: string
  /** The payroll to which the order belongs; absent for payments. */
  readonly payrollId?: string
  readonly order: Order
  readonly bankRequestId: string
  /** The URL to which the bank may send notifications. */
  readonly notification: string
  /** The warnings in the answer to the partner. */
  readonly warnings: readonly PaymentWarning[]
  /** The exchange in the answer to the partner; only for funding orders. */
  readonly exchange?: ExchangeTerms
}

/** The dependencies of storing a submission. */
export type SubmissionTools = {
  readonly bank: Bank
  readonly createSubmission: CreateSubmission
  readonly idempotent: IdempotentRequest | null
}

/** The request and the order for the bank that is built from it. */
export type OrderToSubmit<Order> = OrderRequest & {
  readonly order: Order
  /** The account number of the creditor as sent to the bank. */
  readonly creditorNumber: string
  readonly warnings: readonly PaymentWarning[]
  /** Only for funding orders: the quote that is about to be booked and the deadline for the signature. */
  readonly exchange?: { readonly quoteId: string; readonly deadlineAt: Temporal.Instant; readonly terms: ExchangeTerms }
}

/** The properties of every order. */
type OrderFacts = Pick<DomesticOrder, 'endToEndId' | 'amount' | 'dueDate'> & {
  readonly debtor: { readonly bban: string }
}

const DUPLICATE_WITHIN = { hours: 24 }

/**
 * Stores a submission with one statement. Throws `conflict` while an equal order or the same idempotency key is still
 * open.
 */
export async function createSubmission<Order extends OrderFacts>(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  { type, ordered, order, creditorNumber, warnings, exchange }: OrderToSubmit<Order>,
  { bank, createSubmission: insert, idempotent }: SubmissionTools,
): Promise<Submission<Order>> {
  const { clock } = context
  const paymentId = newId()
  const { bankRequestId, notification, notificationTokenHash, recoverAt } = newSubmissionRequest(context, {
    partnerId,
    id: paymentId,
  })
  const now = clock.now()
  const row = {
    partner_id: partnerId,
    id: paymentId,
    type,
    consent_id: consent.id,
    bic: bank.bic,
    country_code: bank.countryCode,
    organisation_number: consent.organisationNumber,
    end_to_end_id: order.endToEndId,
    amount_minor: order.amount.minor.toString(),
    currency: order.amount.currency,
    debtor_bban: order.debtor.bban,
    creditor_bban: creditorNumber,
    due_date: order.dueDate.toString(),
    ordered: JSON.stringify(ordered),
    bank_request_id: bankRequestId,
    notification_token_hash: notificationTokenHash,
    created_at: now.toString(),
    recover_at: recoverAt.toString(),
    duplicates_since: now.subtract(DUPLICATE_WITHIN).toString(),
    ...(exchange && exchangeColumns(exchange)),
    idempotency: idempotent?.startRowFor(paymentId) ?? null,
  } as const
  try {
    const { duplicateOf } = await insert(row)
    const allWarnings = [...duplicateWarnings(duplicateOf), ...warnings]
    const submission = { partnerId, paymentId, order, bankRequestId, notification, warnings: allWarnings }
    return { ...submission, ...(exchange && { exchange: exchange.terms }) }
  } catch (error) {
    if (error instanceof DatabaseUnavailable) {
      // It may be stored; the bank was not asked, so that it is not an unknown outcome.
      context.outcomes
        .record(() => deleteSubmission(context.database, { partnerId, id: paymentId }))
        .catch(() => undefined)
    }
    const { endToEndId, amount } = order
    throw await conflictErrorOf(context, { partnerId, endToEndId, amount, creditorBban: creditorNumber }, error)
  }
}

function exchangeColumns({ quoteId, deadlineAt }: NonNullable<OrderToSubmit<unknown>['exchange']>) {
  return { exchange: 'booking', quote_id: quoteId, deadline_at: deadlineAt.toString() } as const
}

/** `duplicateOf` is an earlier payment with the same endToEndId, amount and creditor. */
function duplicateWarnings(duplicateOf: string | null): readonly PaymentWarning[] {
  const reason = 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours'
  return duplicateOf === null
    ? []
    : [{ code: 'PossibleDuplicate', reason, path: '.metadata.endToEndId', paymentId: duplicateOf }]
}

async function conflictErrorOf(
  context: Context,
  order: Parameters<typeof findOpenOutcome>[1],
  error: unknown,
): Promise<unknown> {
  if (isConstraintViolation(error, 'idempotency_pkey')) {
    return apiError('conflict', 'The first request with this Idempotency-Key is still running')
  }
  if (!isConstraintViolation(error, 'payments_open_outcome')) {
    return error
  }
  const open = await findOpenOutcome(context.database, order)
  return apiError(
    'conflict',
    'An order with this endToEndId, amount and receiver was submitted to the bank and its outcome is unknown; poll the payment named here',
    open === undefined ? {} : { paymentId: open.id },
  )
}

/** A request that is about to be made; each submission has a new one, a resubmission as well. */
type SubmissionRequest = {
  /** The `X-Request-ID`, the same when the request is repeated with another token: the bank has not executed it. */
  readonly bankRequestId: string
  /** The URL to which the bank may send notifications. */
  readonly notification: string
  readonly notificationTokenHash: string
  /** Wall time after which recovery takes over the submission. */
  readonly recoverAt: Temporal.Instant
}

/** The time that our own work may add to the call before recovery takes over. */
const RECOVERY_MARGIN = { seconds: 5 }

/** Returns a new, unique request for a payment. */
export function newSubmissionRequest(context: Context, { partnerId, id }: PaymentKey): SubmissionRequest {
  const notificationToken = newToken()
  return {
    bankRequestId: newBankRequestId(),
    notification: `${context.config.baseUrl}/hints/payments/${partnerId}/${id}/${notificationToken}`,
    notificationTokenHash: hashToken(notificationToken),
    recoverAt: recoverAt(context),
  }
}

/** Returns the time after which recovery takes over a request that starts now. */
export function recoverAt({ config, clock }: Context): Temporal.Instant {
  return clock
    .real()
    .add({ seconds: callSecondsMax(config) })
    .add(RECOVERY_MARGIN)
}
