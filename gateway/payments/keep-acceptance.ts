/** Keeps what the bank answered to an order, together with the answer to whoever repeats the request. */
import type { PaymentInitiated } from '../../contract/payments.ts'
import type { OrderTaken } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import type { IdempotentRequest } from '../foundation/http/idempotency.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { newId } from '../foundation/ids.ts'
import { raiseTask, settleTask } from '../operators/raise-task.ts'
import { giveUp } from './give-up-intent.ts'
import type { KeepAcceptance } from './initiation-store.ts'
import type { Intent } from './intent.ts'
import { keepAtLength } from './keep-at-length.ts'
import { type Outcome, shownStatus, statusTable } from './payment.ts'
import { nextPoll } from './poll-schedule.ts'

/** What keeping works with. */
type Tools = { readonly keepAcceptance: KeepAcceptance; readonly idempotent: IdempotentRequest | null }

/** One statement, repeated while the database is away. Throws 503 when it fails for good: people are told the bank's id. */
export async function keepAcceptanceOf(
  context: Context,
  intent: Intent,
  { bankPaymentId, observation }: OrderTaken,
  { keepAcceptance, idempotent }: Tools,
): Promise<PaymentInitiated> {
  const at = context.clock.now()
  const status = observation.status ?? 'InProgress'
  const answer = answerOf(intent, { ...observation, status, statusAt: at })
  const idempotency = idempotent?.answerOf(answer) ?? null
  const row = { ...rowOf(intent, { bankPaymentId, observation: { ...observation, status } }, at), idempotency }
  const { before } = await keepAtLength(context.log, () => keepAcceptance(row)).catch(async (error: unknown) => {
    throw await notKept(context, { ...intent, bankPaymentId }, error)
  })
  if (idempotent !== null) {
    idempotent.answerKept = true
  }
  if (before !== 'asked') {
    await tellLateAnswer(context, intent, before, bankPaymentId)
  }
  return answer
}

function rowOf(intent: Intent, { bankPaymentId, observation }: OrderTaken, at: Temporal.Instant) {
  const status = observation.status ?? 'InProgress'
  const signed = status !== 'Unsigned' && observation.statusReason !== 'PartlySigned'
  const finalSince = statusTable[status].final ? at : null
  return {
    partner_id: intent.partnerId,
    id: intent.paymentId,
    history_id: newId(),
    bank_payment_id: bankPaymentId,
    status,
    status_reason: observation.statusReason,
    status_reason_text: observation.statusReasonText,
    bank_status: observation.bankStatus,
    signed,
    at: at.toString(),
    poll_at: nextPoll({ status, signed, pollStep: 0, finalSince }, at)?.toString() ?? null,
    final_since: finalSince?.toString() ?? null,
  }
}

/** The log holds the bank's id in any case, the task where it can be written; else recovery raises one without it. */
async function notKept(
  context: Context,
  intent: Intent & { readonly bankPaymentId: string },
  error: unknown,
): Promise<Error> {
  const { paymentId, bankRequestId, bankPaymentId } = intent
  const what = 'a bank took an order and that could not be kept'
  context.log.error({ paymentId, bankRequestId, bankPaymentId, error }, what)
  await giveUp(context, intent, 'unknown', error).catch((failure: unknown) => {
    context.log.error({ paymentId, error: failure }, 'nor could people be told of it')
  })
  const message = 'The bank took the payment, but that could not be kept; follow the payment named here'
  return refuse('unavailable', message, { paymentId })
}

/** The process was slower than recovery, or than people: what waits for a person must know. */
async function tellLateAnswer(
  context: Context,
  { partnerId, paymentId: subjectId }: Intent,
  before: Outcome,
  bankPaymentId: string,
): Promise<void> {
  if (before === 'void') {
    const detail = { bankPaymentId, text: 'The bank took the order after people had said that it never did' }
    await raiseTask(context, { partnerId, kind: 'UnexpectedStatus', subjectType: 'payment', subjectId, detail })
  } else {
    // Known is what the same statement left behind when its connection was cut; what it settled then is unknown here.
    await settleTask(
      context,
      { partnerId, kind: 'UnknownOutcome', subjectId },
      `the bank answered late: ${bankPaymentId}`,
    )
  }
}

function answerOf(intent: Intent, status: Parameters<typeof shownStatus>[0]): PaymentInitiated {
  const { paymentId, duplicateOf } = intent
  const reason = 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours'
  return {
    paymentId,
    paymentStatus: shownStatus(status),
    ...(duplicateOf === null ? {} : { warnings: [{ code: 'PossibleDuplicate', reason, paymentId: duplicateOf }] }),
  }
}
