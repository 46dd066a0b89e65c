/** Decides upon an exchange when its deadline has come, by what its bank says then, and carries out what was decided. */

import { callSecondsMax } from '../../banks/transport/call-seconds-max.ts'
import type { Context } from '../../context.ts'
import { raiseTask, settleTask } from '../../operators/raise-task.ts'
import { claimDecision, postponeDecision } from '../../orders/exchange/exchange-store.ts'
import { isHeld, type Payment } from '../../orders/payment.ts'
import { findPayment } from '../../orders/payment-store.ts'
import { Overtaken } from '../../orders/status/record-payment-status.ts'
import { retryAt } from '../../platform/jobs/retry-backoff.ts'
import { followPayment } from '../follow-payment.ts'
import { carryOutDecision } from './carry-out-decision.ts'
import { type Withdrawn, withdrawAtDeadline } from './withdraw-at-deadline.ts'

/** Between looks at a bank that does not say how the order stands: the rate that is held costs money meanwhile. */
const UNDECIDED = { leastSeconds: 2, mostSeconds: 300 }
/** People are told when a deadline has gone by for so long without a word of the bank. */
const UNDECIDED_MAX_SECONDS = 600

/** A signing and the order are read, the order is withdrawn and read again. */
const CALLS_PER_DECISION_MAX = 4
/** What our own statements may add to the bank's time. */
const OWN_SECONDS = 30

/** Sees to the signings of a payment that are open, so that what its users signed is known; false where a bank is silent. */
export type LookAtSignings = (payment: Payment) => Promise<boolean>

/**
 * The deadline tests signing only. Signed, the deal stands, also when that is learned late; unsigned, the order is
 * withdrawn at the bank and the deal undone; a bank that does not say how it stands breaks nothing. The payment's row
 * decides, and the deal follows it: a death in between leaves nothing undecided, and nothing is decided twice.
 */
export async function decideExchange(context: Context, payment: Payment, look: LookAtSignings): Promise<void> {
  const claimedUntil = context.clock.now().add({ seconds: decisionSecondsMax(context) })
  if (!(await claimDecision(context.database, payment, claimedUntil))) {
    return
  }
  try {
    const { payment: decided, lookAt } =
      payment.exchange === 'awaited' ? await decide(context, payment, look) : { payment, lookAt: null }
    if (decided.exchange === 'awaited') {
      await leaveUndecided(context, decided, lookAt)
    } else {
      await carryOutDecision(context, decided)
      await settleUndecided(context, decided)
    }
  } catch (error) {
    if (!(error instanceof Overtaken)) {
      throw error
    }
    await postponeDecision(context.database, payment, context.clock.now())
  }
}

/** Longer than deciding may take: by then, whoever was at it is dead. */
export function decisionSecondsMax({ config }: Pick<Context, 'config'>): number {
  return CALLS_PER_DECISION_MAX * callSecondsMax(config) + OWN_SECONDS
}

/** Still awaited where its bank does not say how it stands. */
async function decide(context: Context, payment: Payment, look: LookAtSignings): Promise<Withdrawn> {
  if (!isHeld(payment)) {
    return { payment, lookAt: null }
  }
  // A signature that the bank took shows in the authorisation first; what is learned there counts when the order is read.
  if (!(await look(payment))) {
    return { payment, lookAt: null }
  }
  const read = await followPayment(context, (await findPayment(context.database, payment)) ?? payment)
  const isUnsigned = read.exchange === 'awaited' && wasReadSince(payment, read)
  return isUnsigned ? await withdrawAtDeadline(context, read) : { payment: read, lookAt: null }
}

/** An order that its bank says it holds no more was looked for, too. */
function wasReadSince({ deadlineAt }: Payment, read: Payment): boolean {
  const isAfter = deadlineAt !== null && Temporal.Instant.compare(read.statusAt, deadlineAt) >= 0
  return isAfter || read.lapsedAt !== null
}

async function leaveUndecided(context: Context, payment: Payment, lookAt: Temporal.Instant | null): Promise<void> {
  const { clock, database } = context
  const [now, deadline] = [clock.now(), payment.deadlineAt ?? clock.now()]
  if (overdueSeconds(context, payment) >= UNDECIDED_MAX_SECONDS) {
    const { partnerId, id: subjectId, bic: bank, outcome, bankPaymentId } = payment
    const detail = { bank, outcome, bankPaymentId, deadline: deadline.toString() }
    await raiseTask(context, { partnerId, kind: 'DeadlineUndecided', subjectType: 'payment', subjectId, detail })
  }
  await postponeDecision(database, payment, lookAt ?? retryAt(deadline, now, UNDECIDED))
}

/** Closes what people were told of a deadline that went by for long. */
async function settleUndecided(context: Context, payment: Payment): Promise<void> {
  const { partnerId, id: subjectId, exchange } = payment
  if (overdueSeconds(context, payment) >= UNDECIDED_MAX_SECONDS) {
    await settleTask(context, { partnerId, kind: 'DeadlineUndecided', subjectId }, `its exchange is ${exchange}`)
  }
}

function overdueSeconds({ clock }: Context, { deadlineAt }: Payment): number {
  const now = clock.now()
  return now.since(deadlineAt ?? now).total('seconds')
}
