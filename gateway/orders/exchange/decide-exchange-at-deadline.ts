/** Decides on an exchange at its deadline by the bank's status of the order, and executes the decision at the FX provider. */
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import { cancelDeal, confirmDeal } from '../../fx/deals/change-deal.ts'
import { findDeal } from '../../fx/deals/get-deal.ts'
import type { Deal, DealCancellationReason, DealState } from '../../fx/store/deal.ts'
import { paymentTask, raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../../platform/jobs/due-row-sweep.ts'
import { nextAttemptAt } from '../../platform/jobs/retry-backoff.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { dealActionByExchangeState, type ExchangeState } from '../exchange-state.ts'
import { isAcknowledged, type Payment } from '../payment.ts'
import { pollPayment } from '../status/poll-payment.ts'
import { ConcurrentUpdateError } from '../status/record-payment-status.ts'
import { claimExchangeDecision, exchangeDeadlines, postponeExchangeDecision } from '../store/exchange-store.ts'
import { findPayment } from '../store/payment-store.ts'
import { applyDealToPayment } from './apply-deal-to-payment.ts'
import {
  cancelOrderAtDeadline,
  cancelOrderOfCancelledExchange,
  type DeadlineResult,
} from './cancel-order-at-deadline.ts'

/** Between polls while the bank does not report the order: the reserved rate costs money meanwhile. */
const UNDECIDED = { leastSeconds: 2, mostSeconds: 300 }
/** Operators get a task when a deadline has passed for this long without a status from the bank. */
const UNDECIDED_MAX_SECONDS = 600

/** Reads of the authorisation and of the order, the cancellation, and another read of the order. */
const CALLS_PER_DECISION_MAX = 4
/** Seconds that our own statements may add to the bank's time. */
const OWN_SECONDS = 30

/**
 * Polls the open SCA sessions of a payment, so that signatures are known; returns false when the bank does not answer.
 */
export type PollScaSessions = (payment: Payment) => Promise<boolean>

/**
 * The deadline applies to the signature only. If signed, the deal is confirmed, even if that is known late; if
 * unsigned, the order and the deal are cancelled; without a status from the bank nothing is cancelled. The payment's
 * row holds the decision and the deal follows it: after a crash the decision is completed, and it is never made twice.
 */
export async function decideExchangeAtDeadline(
  context: Context,
  payment: Payment,
  pollScaSessions: PollScaSessions,
): Promise<void> {
  const claimedUntil = context.clock.now().add({ seconds: exchangeDecisionSecondsMax(context) })
  if (!(await claimExchangeDecision(context.database, payment, claimedUntil))) {
    return
  }
  try {
    const { payment: decided, nextCheckAt } =
      payment.exchange === 'unsigned' ? await decide(context, payment, pollScaSessions) : { payment, nextCheckAt: null }
    if (decided.exchange === 'unsigned') {
      await postponeUndecided(context, decided, nextCheckAt)
    } else {
      await applyExchangeDecision(context, decided)
      await settleUndecidedTask(context, decided)
    }
  } catch (error) {
    if (!(error instanceof ConcurrentUpdateError)) {
      throw error
    }
    await postponeExchangeDecision(context.database, payment, context.clock.now())
  }
}

/** Longer than a decision may take: after that its process has crashed. */
export function exchangeDecisionSecondsMax({ config }: Context): number {
  return CALLS_PER_DECISION_MAX * callSecondsMax(config) + OWN_SECONDS
}

/** The exchange remains `unsigned` while the bank does not report the order. */
async function decide(context: Context, payment: Payment, pollScaSessions: PollScaSessions): Promise<DeadlineResult> {
  if (!isAcknowledged(payment)) {
    return { payment, nextCheckAt: null }
  }
  // A signature is visible in the authorisation first; the poll of the order takes it into account.
  if (!(await pollScaSessions(payment))) {
    return { payment, nextCheckAt: null }
  }
  const polled = await pollPayment(context, (await findPayment(context.database, payment)) ?? payment)
  const isUnsigned = polled.exchange === 'unsigned' && wasReadSince(payment, polled)
  return isUnsigned ? await cancelOrderAtDeadline(context, polled) : { payment: polled, nextCheckAt: null }
}

/** A poll that found the order expired counts as well. */
function wasReadSince({ deadlineAt }: Payment, read: Payment): boolean {
  const isAfter = deadlineAt !== null && Temporal.Instant.compare(read.statusAt, deadlineAt) >= 0
  return isAfter || read.expiredAt !== null
}

async function postponeUndecided(
  context: Context,
  payment: Payment,
  nextCheckAt: Temporal.Instant | null,
): Promise<void> {
  const { clock, database } = context
  const [now, deadline] = [clock.now(), payment.deadlineAt ?? clock.now()]
  if (overdueSeconds(context, payment) >= UNDECIDED_MAX_SECONDS) {
    const { bic: bank, outcome, bankPaymentId } = payment
    const detail = { bank, outcome, bankPaymentId, deadline: deadline.toString() }
    await raiseTask(context, { ...paymentTask(payment, 'DeadlineUndecided'), detail })
  }
  await postponeExchangeDecision(database, payment, nextCheckAt ?? nextAttemptAt(deadline, now, UNDECIDED))
}

/** Resolves the operator task about an overdue decision. */
async function settleUndecidedTask(context: Context, payment: Payment): Promise<void> {
  if (overdueSeconds(context, payment) >= UNDECIDED_MAX_SECONDS) {
    const task = paymentTask(payment, 'DeadlineUndecided')
    await resolveTaskAutomatically(context, task, `its exchange is ${payment.exchange}`)
  }
}

function overdueSeconds({ clock }: Context, { deadlineAt }: Payment): number {
  const now = clock.now()
  return now.since(deadlineAt ?? now).total('seconds')
}

/** Returns the due-row scan over exchanges; `pollScaSessions` runs before the poll of the order. */
export function exchangeSweep(context: Context, pollScaSessions: PollScaSessions): Sweep {
  return dueRowSweep(context, { ...exchangeDeadlines, leaseSeconds: exchangeDecisionSecondsMax(context) }, (key) =>
    decideIfDue(context, key, pollScaSessions),
  )
}

/** A concurrent poll may have decided on the exchange and set another time. */
async function decideIfDue(context: Context, key: RowKey, pollScaSessions: PollScaSessions): Promise<void> {
  const payment = await findPayment(context.database, key)
  const decideAt = payment?.decideAt ?? null
  if (payment === undefined || decideAt === null) {
    return
  }
  if (Temporal.Instant.compare(decideAt, context.clock.now()) > 0) {
    await postponeExchangeDecision(context.database, payment, decideAt)
  } else {
    await decideExchangeAtDeadline(context, payment, pollScaSessions)
  }
}

/** Deal states that need no application to the payment; a deal with an unknown booking is cancelled once it is known. */
const DEAL_END_STATES: ReadonlySet<DealState> = new Set(['booking', 'cancelling', 'cancelled', 'failed'])

/** Between attempts to cancel the order at a bank that is away: only the order is left to cancel. */
const CANCELLATION_RETRY_AFTER = { minutes: 5 }

/** Confirms or cancels the deal. A deal that went another way meanwhile is applied to the payment. */
async function applyExchangeDecision(context: Context, payment: Payment): Promise<void> {
  const { partnerId, id: paymentId, exchange } = payment
  const deal = await findDeal(context.database, { partnerId, paymentId })
  const action = exchange === null ? null : dealActionByExchangeState[exchange]
  if (deal !== undefined && exchange !== null && action === 'confirm') {
    await confirmDeal(context, deal, payment.signedAt ?? context.clock.now())
  } else if (deal !== undefined && exchange !== null && action === 'cancel') {
    const cancelled = await cancelDealOf(context, payment, deal)
    await (DEAL_END_STATES.has(cancelled.state) ? undefined : applyDealToPayment(context, cancelled))
  }
  const isDone = exchange !== 'uncancellable' || (await cancelOrderOfCancelledExchange(context, payment))
  await postponeExchangeDecision(
    context.database,
    payment,
    isDone ? null : context.clock.now().add(CANCELLATION_RETRY_AFTER),
  )
}

const REASON: Readonly<Partial<Record<ExchangeState, DealCancellationReason>>> = {
  rejected: 'funding-rejected',
  uncancellable: 'unsigned',
}

/** A deal that was confirmed meanwhile is cancelled because its funding cannot arrive. */
async function cancelDealOf(context: Context, payment: Payment, deal: Deal): Promise<Deal> {
  const cancelled = await cancelDeal(context, deal, reasonOf(context, payment, deal))
  return cancelled.state === 'confirmed' ? await cancelDeal(context, cancelled, 'funding-rejected') : cancelled
}

/** A confirmed deal is cancelled only when its funding cannot arrive. */
function reasonOf({ clock }: Context, payment: Payment, { state, deadline }: Deal): DealCancellationReason {
  const isOver = Temporal.Instant.compare(clock.now(), deadline) >= 0
  const named = payment.exchange === null ? undefined : REASON[payment.exchange]
  return state === 'confirmed' ? 'funding-rejected' : (named ?? (isOver ? 'unsigned' : 'cancelled'))
}
