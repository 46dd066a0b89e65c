/** Records the status that a bank reports of an acknowledged payment: every change after the acknowledgement is made here. */
import type { BulkObservation, StatusObservation } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { enqueueEvent } from '../../webhooks/events/enqueue-event.ts'
import {
  dealActionByExchangeState,
  type ExchangeState,
  exchangeTransitions,
  nextExchangeState,
  statusWithExchange,
} from '../exchange-state.ts'
import { transactionsOf } from '../instruction.ts'
import { executionDay } from '../parse/execution-day.ts'
import {
  isAcknowledged,
  isExpectedTransition,
  isFinalStatus,
  type Payment,
  permits,
  productAtBank,
} from '../payment.ts'
import { type StatusToRecord, writeNextPoll, writeStatus } from '../store/payment-status-store.ts'
import { findPayment, type PaymentKey } from '../store/payment-store.ts'
import { nextPoll, pollTermsOf } from './poll-schedule.ts'
import {
  recordTransactionStatuses,
  type TransactionPollProgress,
  transactionPollProgress,
} from './record-transaction-statuses.ts'

/** A status set by Havn itself: by an operator, by an entry on the account or by the progress of the exchange. */
export type LocalStatusChange =
  | { readonly move: 'void' }
  | { readonly move: 'settle'; readonly entry: string }
  | { readonly move: 'exchange'; readonly to: ExchangeState }

/** The payment has changed since it was read, so a local status change does not apply any more. */
export class ConcurrentUpdateError extends Error {}

/** Concurrent updates come one at a time. */
const ATTEMPTS_MAX = 5

/** Makes a local change of the payment as it is now, again after each concurrent update; returns whether it was made. */
export async function retryOnConcurrentUpdate(
  context: Context,
  key: PaymentKey,
  change: (payment: Payment | undefined) => Promise<unknown>,
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    try {
      await change(await findPayment(context.database, key))
      return true
    } catch (error) {
      if (!(error instanceof ConcurrentUpdateError)) {
        throw error
      }
    }
  }
  return false
}

/**
 * Records one observation and returns the updated payment. An unknown bank status leaves the status unchanged. An
 * observation that lost against a concurrent one is dropped, because their order is unknown, and the payment is polled
 * again at once. A local change must be permitted by the status. Throws `ConcurrentUpdateError` when it, or a report on a
 * file, lost.
 */
export async function recordPaymentStatus(
  context: Context,
  payment: Payment,
  observation: BulkObservation,
  localChange?: LocalStatusChange,
): Promise<Payment> {
  if (localChange !== undefined) {
    requirePermitted(payment, localChange)
  }
  const payouts = await transactionPollProgress(context, payment, observation)
  const next = await statusAfter(context, payment, observation, { localChange, payouts })
  // A changed text alone is stored but creates no history entry and no event.
  const changed = payment.status !== next.status || payment.statusReason !== next.statusReason
  const isWritten =
    changed || transactionsOf(payment) !== undefined
      ? await inTransaction(context, (context) =>
          writeStatusAndEvents(context, { payment, next, changed, observation }),
        )
      : (await writeStatus(context.database, payment, next, false)) !== undefined
  if (!isWritten) {
    return await handleConcurrentUpdate(context, payment, localChange)
  }
  const { at, real: _real, ...updated } = next
  const changedAt = changed ? at : payment.changedAt
  const signedAt = next.signed ? (payment.signedAt ?? at) : null
  return { ...payment, ...updated, signedAt, statusAt: at, changedAt, unreadSince: null, expiredAt: null }
}

function requirePermitted(payment: Payment, change: LocalStatusChange): void {
  const { id, exchange, status } = payment
  if (change.move !== 'exchange') {
    if (!permits(payment, change.move)) {
      throw new Error(`Payment ${id} is ${status}, which does not permit the action ${change.move}`)
    }
  } else if (exchange === null || !exchangeTransitions[exchange].includes(change.to)) {
    // Exchanges progress outside the bank's statuses, so a status of the bank may have come first.
    throw new ConcurrentUpdateError(`The exchange of payment ${id} is ${exchange}, which cannot become ${change.to}`)
  }
}

type StatusWrite = {
  readonly payment: Payment
  readonly next: StatusToRecord
  readonly changed: boolean
  readonly observation: BulkObservation
}

/**
 * Writes row, history, operator task, payroll transactions and events in one transaction. The events come last, because
 * they block changes of subscriptions until the transaction ends.
 */
async function writeStatusAndEvents(
  context: Context,
  { payment, next, changed, observation }: StatusWrite,
): Promise<boolean> {
  const recorded = await writeStatus(context.database, payment, next, changed)
  if (recorded === undefined) {
    return false
  }
  // The funding of a confirmed exchange has become uncertain.
  const revertsSignature = next.exchange === 'confirmed' && payment.signed && !next.signed
  if (!isExpectedTransition(payment, next) || revertsSignature) {
    await raiseUnexpectedStatus(context, payment, next)
  }
  await recordTransactionStatuses(context.database, payment, observation, { at: next.at, orderChanged: changed })
  const { partnerId, id: paymentId, status: previousStatus } = payment
  if (previousStatus !== next.status && transactionsOf(payment) === undefined) {
    const { status, statusReason, statusReasonText } = next
    const change = { paymentId, previousStatus, status, statusReason, statusReasonText }
    await enqueueEvent(context, context.database, { partnerId, ...recorded, ...change })
  }
  return true
}

async function handleConcurrentUpdate(
  context: Context,
  payment: Payment,
  localChange: LocalStatusChange | undefined,
): Promise<Payment> {
  const current = await findPayment(context.database, payment)
  // A file is not polled: nothing would repeat what its report says of single transactions.
  if (current === undefined || localChange !== undefined || productAtBank(current) === 'file') {
    throw new ConcurrentUpdateError(`Payment ${payment.id} was changed concurrently`)
  }
  if (!isAcknowledged(current)) {
    return current
  }
  const pollNow = { pollAt: context.clock.now(), pollStep: 0, unreadSince: null }
  await writeNextPoll(context.database, current, pollNow)
  return { ...current, ...pollNow }
}

/** Returns the status to record after an observation, with the time of the next poll. */
async function statusAfter(
  { clock, banks }: Context,
  payment: Payment,
  observation: StatusObservation,
  {
    localChange,
    payouts,
  }: { readonly localChange: LocalStatusChange | undefined; readonly payouts: TransactionPollProgress },
): Promise<StatusToRecord> {
  const [at, real] = [clock.now(), clock.real()]
  const observed = observedStateOf(payment, observation)
  const signed = signedAfter(payment, observation, localChange)
  const exchange = exchangeOf(payment, observation, { signed, localChange })
  const { status, statusReason } = exchange === null ? observed : statusWithExchange(exchange, observed)
  const isSame = status === payment.status && statusReason === payment.statusReason
  const pollStep = isSame && !payouts.changed ? payment.pollStep + 1 : 0
  const finalSince = isFinalStatus(status) ? (isSame ? (payment.finalSince ?? at) : at) : null
  const { statusReasonText, bankStatus } = observation
  const retainsEntry = observed.status === 'Completed' || exchange !== null
  const settledBy = localChange?.move === 'settle' ? localChange.entry : retainsEntry ? payment.settledBy : null
  // A decision is executed at once.
  const isDecided = exchange !== null && dealActionByExchangeState[exchange] !== null
  const decideAt = exchange === payment.exchange ? payment.decideAt : isDecided ? at : null
  const settled = { signed, pollStep, finalSince, settledBy, exchange, decideAt }
  const recorded = { at, real, status, statusReason, statusReasonText, bankStatus, ...settled }
  if (localChange?.move === 'void') {
    return { ...recorded, outcome: 'void', pollAt: null }
  }
  const { id, type, dueDate } = payment
  const bank = await banks.find(payment.bic)
  const executesOn = bank && signed ? executionDay(payment, bank, at) : undefined
  const polled = { id, type, dueDate, status, signed, pollStep, finalSince, ...(executesOn && { executesOn }) }
  // Banks report on files without being polled.
  const isPolled = productAtBank(payment) !== 'file'
  return { ...recorded, pollAt: isPolled ? nextPoll(polled, at, pollTermsOf(bank), payouts.readings) : null }
}

/** A bank that never reports settlement repeats its last status after the entry was found. */
function observedStateOf(
  payment: Payment,
  { status, statusReason }: StatusObservation,
): Pick<Payment, 'status' | 'statusReason'> {
  const isUnchanged = status === null || (status === 'InProgress' && payment.settledBy !== null)
  return isUnchanged ? payment : { status, statusReason }
}

/** The exchange states that only received money can cause. */
const FUNDED: ReadonlySet<ExchangeState> = new Set(['funded', 'paid', 'returned'])

/** A bank may require signers unknown to us: one that still awaits a signature overrides ours. */
function signedAfter(
  { signed }: Payment,
  { status, statusReason }: StatusObservation,
  localChange: LocalStatusChange | undefined,
): boolean {
  const awaitsSignature = statusReason === 'PartlySigned' || status === 'Unsigned'
  const isProven = localChange?.move === 'exchange' && FUNDED.has(localChange.to)
  return awaitsSignature ? false : signed || isProven || status === 'InProgress' || status === 'Completed'
}

/** An unknown bank status leaves the exchange unchanged. */
function exchangeOf(
  { exchange }: Payment,
  { status }: StatusObservation,
  { signed, localChange }: { readonly signed: boolean; readonly localChange: LocalStatusChange | undefined },
): ExchangeState | null {
  if (localChange?.move === 'exchange') {
    return localChange.to
  }
  return exchange === null || status === null ? exchange : nextExchangeState(exchange, { status, signed })
}

async function raiseUnexpectedStatus(context: Context, before: Payment, next: StatusToRecord): Promise<void> {
  const from = { from: before.status, fromReason: before.statusReason }
  const to = { to: next.status, toReason: next.statusReason, bankStatus: next.bankStatus }
  const detail = { bank: before.bic, ...from, ...to }
  await raiseTask(context, { ...paymentTask(before, 'UnexpectedStatus'), detail })
}
