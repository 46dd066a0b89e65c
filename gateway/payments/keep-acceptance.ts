/** Keeps what the bank answered to an order, together with the answer to whoever repeats the request. */
import type { ExchangeTerms } from '../../contract/fx/exchange-terms.ts'
import type { PaymentInitiated } from '../../contract/payments/payment-operations.ts'
import type { PaymentStatusReason, PaymentStatusValue } from '../../contract/shapes.ts'
import type { DomesticOrder } from '../banks/connector/domestic-order.ts'
import type { OrderTaken } from '../banks/connector/order-at-bank.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import type { IdempotentRequest } from '../foundation/http/idempotency.ts'
import { keepAtLength } from '../foundation/keep-at-length.ts'
import { settleTask } from '../operators/raise-task.ts'
import { exchangeAfter, statusThrough } from '../orders/exchange/exchange.ts'
import { isFinalValue, shownStatus } from '../orders/payment.ts'
import { nextPoll, pollTermsOf } from '../orders/status/poll-schedule.ts'
import { giveUp } from '../orders/submission/fail-submission.ts'
import { revivePayment } from '../orders/submission/restore-voided-payment.ts'
import { type Intent, namedIn } from '../orders/submission/submission.ts'
import type { AcceptanceRow, KeepAcceptance, RevivalRow } from '../orders/submission/submission-store.ts'
import { outcomeUnknown } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'

/** Whatever the bank was asked to take. */
type IntentTaken = Intent<Pick<DomesticOrder, 'dueDate'>>

/** What keeping works with. */
export type AcceptanceTools = {
  readonly keepAcceptance: KeepAcceptance
  readonly idempotent: IdempotentRequest | null
  readonly bank?: Bank
  /** What whoever repeats the request is told; the answer of a payment unless told otherwise. */
  readonly toldAgain?: (answer: PaymentInitiated) => Promise<unknown>
}

/** One statement, repeated while the database is away. Throws 503 when it fails for good: people are told the bank's id. */
export async function keepAcceptanceOf(
  context: Context,
  intent: IntentTaken,
  { bankPaymentId, observation }: OrderTaken,
  { keepAcceptance, idempotent, bank, toldAgain = async (answer) => answer }: AcceptanceTools,
): Promise<PaymentInitiated & ExchangeTerms> {
  const at = context.clock.now()
  const taken = rowOf(intent, { bankPaymentId, observation }, { at, bank })
  const told = { status: taken.status, statusReason: taken.status_reason, statusAt: at }
  const answer = answerOf(intent, { ...observation, ...told })
  const row = { ...taken, idempotency: idempotent?.answerOf(await toldAgain(answer)) ?? null }
  const keep = async () => {
    const { before } = await keepAcceptance(row)
    if (before === 'void') {
      await revivePayment(context, revivalOf(row, at), at)
    }
    return before
  }
  const before = await keepAtLength(context.log, keep).catch(async (error: unknown) => {
    throw await notKept(context, { ...intent, bankPaymentId }, error)
  })
  if (idempotent !== null) {
    idempotent.answerKept = true
  }
  if (before === 'unknown' || before === 'known') {
    // Known is what the same statement left behind when its connection was cut; what it settled then is unknown here.
    const subject = { partnerId: intent.partnerId, kind: 'UnknownOutcome', subjectId: intent.paymentId } as const
    await settleTask(context, subject, `the bank answered late: ${bankPaymentId}`)
  }
  return answer
}

/** What a bank says of an order that its user has not signed to the end. */
const WAITS_FOR_USER: ReadonlySet<PaymentStatusReason> = new Set(['PartlySigned', 'SmsConfirmationRequired'])

function rowOf(
  intent: IntentTaken,
  { bankPaymentId, observation }: OrderTaken,
  { at, bank }: { readonly at: Temporal.Instant; readonly bank: Bank | undefined },
) {
  const told: PaymentStatusValue = observation.status ?? 'InProgress'
  // A word that nobody knows is no sign of a signature.
  const waits =
    told === 'Unsigned' || (observation.statusReason !== null && WAITS_FOR_USER.has(observation.statusReason))
  const signed = observation.status !== null && !waits
  const exchange = intent.exchange !== undefined ? exchangeAfter('awaited', { status: told, signed }) : null
  const standing = { status: told, statusReason: observation.statusReason }
  const { status, statusReason } = exchange === null ? standing : statusThrough(exchange, standing)
  const finalSince = isFinalValue(status) ? at : null
  const { dueDate } = intent.order
  const polled = { id: intent.paymentId, dueDate, status, signed, pollStep: 0, finalSince }
  return {
    partner_id: intent.partnerId,
    id: intent.paymentId,
    history_id: newId(),
    bank_payment_id: bankPaymentId,
    status,
    status_reason: statusReason,
    status_reason_text: observation.statusReasonText,
    bank_status: observation.bankStatus,
    signed,
    at: at.toString(),
    poll_at: nextPoll(polled, at, pollTermsOf(bank))?.toString() ?? null,
    final_since: finalSince?.toString() ?? null,
    exchange,
  }
}

/** An exchange was undone when people spoke, and stays so, whatever becomes of the order at the bank. */
function revivalOf(row: AcceptanceRow, at: Temporal.Instant): RevivalRow {
  const { status, status_reason } = row
  const standing = { status, statusReason: status_reason }
  const shown = row.exchange === null ? standing : statusThrough('unwithdrawn', standing)
  const final_since = row.exchange === null ? row.final_since : at.toString()
  return { ...row, status: shown.status, status_reason: shown.statusReason, final_since }
}

/** The log holds the bank's id in any case, the task where it can be written; else recovery raises one without it. */
async function notKept(
  context: Context,
  intent: IntentTaken & { readonly bankPaymentId: string },
  error: unknown,
): Promise<Error> {
  const { paymentId, bankRequestId, bankPaymentId } = intent
  const what = 'a bank took an order and that could not be kept'
  context.log.error({ paymentId, bankRequestId, bankPaymentId, error }, what)
  await giveUp(context, intent, 'unknown', error).catch((failure: unknown) => {
    context.log.error({ paymentId, error: failure }, 'nor could people be told of it')
  })
  const kind = intent.payrollId === undefined ? 'payment' : 'payroll'
  const detail = `it could not be recorded here. Do not send the ${kind} again; follow the ${kind} named here`
  return outcomeUnknown(namedIn(intent), detail)
}

function answerOf(
  { paymentId, warnings, exchange }: IntentTaken,
  status: Parameters<typeof shownStatus>[0],
): PaymentInitiated & ExchangeTerms {
  return {
    paymentId,
    paymentStatus: shownStatus(status),
    ...exchange,
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}
