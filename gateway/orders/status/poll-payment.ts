/** Polls a payment at its bank, records the status that the bank reports, and sets when it is polled next. */
import type { Bank } from '../../banks/connector/bank.ts'
import { BankCallNotMade, BankError, retryAfterOf } from '../../banks/connector/bank-error.ts'
import { isBankError, isResourceGone, isTemporary } from '../../banks/connector/bank-error-classification.ts'
import type { StatusObservation } from '../../banks/connector/bank-order.ts'
import { activeConsentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask } from '../../operators/raise-task.ts'
import { nextAttemptAt, type RetryBackoff } from '../../platform/jobs/retry-backoff.ts'
import { executionDay } from '../parse/execution-day.ts'
import { type AcknowledgedPayment, isAcknowledged, isFinal, type Payment, permits } from '../payment.ts'
import { writeNextPoll, writeSigned } from '../store/payment-status-store.ts'
import { findPayment } from '../store/payment-store.ts'
import { type BankAccess, type BankUser, withBankAccess } from './bank-access.ts'
import { cancelUnsignedOrder } from './cancel-unsigned-order.ts'
import { isOverdue, pollTermsOf } from './poll-schedule.ts'
import { recordExpiry } from './record-expiry.ts'
import { recordPaymentStatus } from './record-payment-status.ts'
import { awaitsEntry, NO_ENTRY_YET, settleByEntries } from './settle-by-entries.ts'

/** Between failed polls. */
const FAILURE_BACKOFF = { leastSeconds: 10, mostSeconds: 3600 }

/** Polls and records. A failed poll only changes the time of the next one. */
export async function pollPayment(context: Context, payment: Payment): Promise<Payment> {
  if (!isAcknowledged(payment)) {
    return payment
  }
  try {
    // Found before the call: a consent that the bank rejects is then this one and not its concurrent renewal.
    const consent = await activeConsentOf(context, payment)
    const { at, observation } = await readAs(context, payment, { consent, psu: null }).catch(async (error: unknown) => {
      // Meanwhile it may have been recorded that the consent has ended, and was renewed.
      const active = isBankError(error, 'token-invalid') ? await activeConsentOf(context, payment) : undefined
      if (active === undefined || active.id === consent?.id) {
        throw error
      }
      return await readAs(context, payment, { consent: active, psu: null })
    })
    const recorded = await recordPaymentStatus(context, payment, withNoEntryText(context, at, payment, observation))
    return await handlePolledStatus(context, at, recorded)
  } catch (error) {
    if (error instanceof BankError) {
      return await recordReadFailure(context, payment, error)
    }
    throw error
  }
}

async function readAs(
  context: Context,
  payment: AcknowledgedPayment,
  user: BankUser,
): Promise<{ readonly at: BankAccess; readonly observation: StatusObservation }> {
  const { signed } = payment
  const read = async (at: BankAccess) => ({ at, observation: await at.payments.read(at.caller, payment, { signed }) })
  return await withBankAccess(context, payment, read, user)
}

/** Takes the actions that follow from a poll. */
async function handlePolledStatus(context: Context, at: BankAccess, payment: Payment): Promise<Payment> {
  await cancelUnsignedOrder(context, at, payment)
  let current = payment
  if (awaitsEntry(context, at, payment)) {
    await settleByEntries(context, at, payment)
    current = (await findPayment(context.database, payment)) ?? payment
  }
  await raiseWhenOverdue(context, at.bank, current)
  return current
}

/** Adds a text while settlement, which the bank does not report, has not been found on the account. */
function withNoEntryText(
  context: Context,
  at: BankAccess,
  payment: Payment,
  observation: StatusObservation,
): StatusObservation {
  const { status, statusReasonText } = observation
  const isAwaiting =
    status === 'InProgress' && payment.settledBy === null && awaitsEntry(context, at, { ...payment, status })
  return isAwaiting && statusReasonText === null ? { ...observation, statusReasonText: NO_ENTRY_YET } : observation
}

/**
 * Applies to signed payments in any open status, whether or not the bank can be read: the user expects their execution.
 */
async function raiseWhenOverdue(context: Context, bank: Bank, payment: Payment): Promise<void> {
  const executesOn = executionDay(payment, bank, payment.createdAt)
  const isOpen = !isFinal(payment) && needsOperator(payment)
  if (isOpen && isOverdue(executesOn, context.clock.now(), pollTermsOf(bank))) {
    const { status, statusReason, bankStatus, signed } = payment
    const days = { dueDate: payment.dueDate.toString(), executionDate: executesOn.toString() }
    const detail = { bank: payment.bic, ...days, status, statusReason, bankStatus, signed }
    await raiseTask(context, { ...paymentTask(payment, 'StuckInProgress'), detail })
  }
}

async function recordReadFailure(context: Context, payment: AcknowledgedPayment, error: BankError): Promise<Payment> {
  context.log.warn({ paymentId: payment.id, errorKind: error.kind }, 'a poll of a payment at its bank failed')
  if (isResourceGone(error) && (await isUnpaidWhenGone(context, payment))) {
    return (await recordExpiry(context, payment, error)).payment
  }
  await (payment.unreadSince === null && error.cause instanceof BankCallNotMade
    ? repeatPollSoon(context, payment, retryAfterOf(error))
    : backOffPoll(context, payment, FAILURE_BACKOFF, retryAfterOf(error)))
  const bank = await context.banks.find(payment.bic)
  await (bank && raiseWhenOverdue(context, bank, payment))
  if (!isTemporary(error) && needsOperator(payment)) {
    const detail = { bank: payment.bic, errorKind: error.kind, text: error.message }
    await raiseTask(context, { ...paymentTask(payment, 'BankCannotBeRead'), detail })
  }
  return payment
}

/**
 * Whether an order that its bank no longer holds was not executed: it was not signed, or the bank has cancelled it before its
 * due date. One that awaits a further signature may be hidden from us, unless it was cancelled.
 */
async function isUnpaidWhenGone({ banks, clock }: Context, payment: Payment): Promise<boolean> {
  const { bic, status, signed, dueDate, cancellationAcceptedAt } = payment
  if (cancellationAcceptedAt === null) {
    return status === 'Unsigned' && !signed
  }
  const today = clock.today(pollTermsOf(await banks.find(bic)).timeZone)
  const isBeforeExecution = !isFinal(payment) && Temporal.PlainDate.compare(today, dueDate) < 0
  return permits(payment, 'withdraw') || isBeforeExecution
}

/** An unsigned order moves no money. */
function needsOperator({ status, signed }: Payment): boolean {
  return status !== 'Unsigned' || signed
}

/** The backoff grows with the duration of the outage, not with the time since the last regular poll. */
export async function backOffPoll(
  context: Context,
  payment: Payment,
  delay: RetryBackoff,
  retryAfterSeconds: number | null = null,
): Promise<void> {
  const now = context.clock.now()
  const unreadSince = payment.unreadSince ?? now
  const pollAt = nextAttemptAt(unreadSince, now, delay, retryAfterSeconds)
  const next = { pollAt, pollStep: payment.pollStep, unreadSince }
  await writeNextPoll(context.database, payment, next)
}

/** Our own limits end within seconds, and cost the bank nothing. */
const AFTER_NOT_MADE_SECONDS = 5

/** After a poll that was not made, because of our own limits: that says nothing about the payment. */
async function repeatPollSoon(
  { database, clock }: Context,
  payment: Payment,
  retryAfterSeconds: number | null,
): Promise<void> {
  const { pollStep, unreadSince } = payment
  const pollAt = clock.now().add({ seconds: Math.max(AFTER_NOT_MADE_SECONDS, retryAfterSeconds ?? 0) })
  await writeNextPoll(database, payment, { pollAt, pollStep, unreadSince })
}

/** Restarts the polling schedule with short intervals, from now or after a delay. */
export async function restartPolling(
  { database, clock }: Context,
  payment: Payment,
  delay: Temporal.DurationLike = { seconds: 0 },
): Promise<void> {
  const pollAt = clock.now().add(delay)
  await writeNextPoll(database, payment, { pollAt, pollStep: 0, unreadSince: payment.unreadSince })
}

/** Records a user's signature and schedules an immediate poll of the payment at its bank. */
export async function recordUserSignature({ database, clock }: Context, payment: Payment): Promise<void> {
  await writeSigned(database, payment, clock.now())
}
