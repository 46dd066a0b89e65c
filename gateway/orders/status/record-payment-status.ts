/** Records what a bank says of a payment: the only writer of statuses. Nothing that a bank says is vetoed. */
import type { BulkObservation } from '../../banks/bulk-order.ts'
import type { StatusObservation } from '../../banks/connector/order-at-bank.ts'
import type { Context } from '../../context.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import { recordElements } from '../../payments/payroll-order/record-elements.ts'
import { atomically, type Queryable } from '../../platform/database/in-transaction.ts'
import { announce } from '../../webhooks/announce.ts'
import {
  dealFollows,
  type ExchangeState,
  exchangeAfter,
  exchangeMayBecome,
  statusThrough,
} from '../exchange/exchange.ts'
import { executionDay } from '../instructions/expected-execution-date.ts'
import { isFinalValue, isHeld, isPartners, isUsualChange, type Payment, permits, productAtBank } from '../payment.ts'
import { findPayment } from '../payment-store.ts'
import { type PayoutsRead, payoutsRead } from '../payroll/transaction-poll-progress.ts'
import { postponePoll, type StatusToRecord, writeStatus } from './payment-status-store.ts'
import { nextPoll, pollTermsOf } from './poll-schedule.ts'

/** A status that we ourselves set: on the word of people, of an entry on the account, or of how its exchange went. */
export type OwnWord =
  | { readonly move: 'void' }
  | { readonly move: 'settle'; readonly entry: string }
  | { readonly move: 'exchange'; readonly to: ExchangeState }

/** A word of our own came too late: the payment is not what it was when it was looked at. */
export class Overtaken extends Error {}

/**
 * Records one reading and answers the payment as it is then. An unknown word keeps the status as it was.
 * A reading that was overtaken by another is dropped, because nobody can tell which of the two is older: the payment is
 * read again at once. A word of our own must fit what the status permits, and throws `Overtaken`.
 */
export async function recordStatus(
  context: Context,
  payment: Payment,
  observation: BulkObservation,
  own?: OwnWord,
): Promise<Payment> {
  if (own !== undefined) {
    requirePermitted(payment, own)
  }
  const payouts = await payoutsRead(context, payment, observation)
  const next = await statusAfter(context, payment, observation, { own, payouts })
  const changed = isChange(payment, next)
  const written =
    changed || payment.type === 'Payroll'
      ? await atomically(context.database, (transaction) =>
          writeAll(context, transaction, { payment, next, changed, observation }),
        )
      : (await writeStatus(context.database, payment, next, false)) !== undefined
  if (!written) {
    return await overtaken(context, payment, own)
  }
  const { at, real: _real, ...kept } = next
  const changedAt = changed ? at : payment.changedAt
  const signedAt = next.signed ? (payment.signedAt ?? at) : null
  return { ...payment, ...kept, signedAt, statusAt: at, changedAt, unreadSince: null, lapsedAt: null }
}

function requirePermitted(payment: Payment, own: OwnWord): void {
  if (own.move === 'exchange') {
    requireMayBecome(payment, own.to)
  } else if (!permits(payment, own.move)) {
    throw new Error(`Payment ${payment.id} is ${payment.status}, which does not permit to ${own.move}`)
  }
}

/** How its exchange went is told by others, who may have been overtaken by the bank. */
function requireMayBecome({ id, exchange }: Payment, to: ExchangeState): void {
  if (exchange === null || !exchangeMayBecome[exchange].includes(to)) {
    throw new Overtaken(`The exchange of payment ${id} is ${exchange}, which is not followed by ${to}`)
  }
}

type Written = {
  readonly payment: Payment
  readonly next: StatusToRecord
  readonly changed: boolean
  readonly observation: BulkObservation
}

/** Row, history, payouts, event and what a person must know: all of it, or nothing. The event comes last, as it must. */
async function writeAll(
  context: Context,
  transaction: Queryable,
  { payment, next, changed, observation }: Written,
): Promise<boolean> {
  const occurredAt = await writeStatus(transaction, payment, next, changed)
  if (occurredAt === undefined) {
    return false
  }
  if (payment.type === 'Payroll') {
    await recordElements(transaction, payment, observation, { at: next.at, orderChanged: changed })
  }
  if (!isUsualChange(payment, next) || losesSignature(payment, next)) {
    await raiseUnusual({ ...context, database: transaction }, payment, next)
  }
  if (payment.status !== next.status && isPartners(payment)) {
    const { partnerId, id: paymentId, status: previousStatus } = payment
    const { status, statusReason, statusReasonText } = next
    const change = { paymentId, previousStatus, status, statusReason, statusReasonText }
    await announce(context, transaction, { partnerId, occurredAt, ...change })
  }
  return true
}

async function overtaken(context: Context, payment: Payment, own: OwnWord | undefined): Promise<Payment> {
  const kept = await findPayment(context.database, payment)
  if (kept === undefined || own !== undefined) {
    throw new Overtaken(`Payment ${payment.id} was changed by somebody else meanwhile`)
  }
  if (isHeld(kept) && productAtBank(kept) !== 'file') {
    await postponePoll(context.database, kept, { pollAt: context.clock.now(), pollStep: 0, unreadSince: null })
  }
  return kept
}

/** What is to be kept after a reading, and when the next one comes. */
async function statusAfter(
  { clock, banks }: Context,
  payment: Payment,
  observation: StatusObservation,
  { own, payouts }: { readonly own: OwnWord | undefined; readonly payouts: PayoutsRead },
): Promise<StatusToRecord> {
  const [at, real] = [clock.now(), clock.real()]
  const observed = standingAfter(payment, observation)
  const signed = signedAfter(payment, observation, own)
  const exchange = exchangeOf(payment, observation, { signed, own })
  const { status, statusReason } = exchange === null ? observed : statusThrough(exchange, observed)
  const isSame = status === payment.status && statusReason === payment.statusReason
  const pollStep = isSame && !payouts.changed ? payment.pollStep + 1 : 0
  const finalSince = isFinalValue(status) ? (isSame ? (payment.finalSince ?? at) : at) : null
  const { statusReasonText, bankStatus } = observation
  const keepsEntry = observed.status === 'Completed' || exchange !== null
  const settledBy = own?.move === 'settle' ? own.entry : keepsEntry ? payment.settledBy : null
  const decideAt = exchange === payment.exchange ? payment.decideAt : dueAfter(exchange, at)
  const settled = { signed, pollStep, finalSince, settledBy, exchange, decideAt }
  const kept = { at, real, status, statusReason, statusReasonText, bankStatus, ...settled }
  if (own?.move === 'void') {
    return { ...kept, outcome: 'void', pollAt: null }
  }
  const { id, type, dueDate } = payment
  const bank = await banks.find(payment.bic)
  const executesOn = bank && signed ? executionDay(payment, bank, at) : undefined
  const polled = { id, type, dueDate, status, signed, pollStep, finalSince, ...(executesOn && { executesOn }) }
  // Of files banks report by themselves.
  const isAsked = productAtBank(payment) !== 'file'
  return { ...kept, pollAt: isAsked ? nextPoll(polled, at, pollTermsOf(bank), payouts.readings) : null }
}

/** A bank that never shows settlement goes on saying what it said before the entry was seen. */
function standingAfter(
  payment: Payment,
  { status, statusReason }: StatusObservation,
): Pick<Payment, 'status' | 'statusReason'> {
  const saysNothingNew = status === null || (status === 'InProgress' && payment.settledBy !== null)
  return saysNothingNew ? payment : { status, statusReason }
}

/** What only money that came makes of an exchange. */
const FUNDED: ReadonlySet<ExchangeState> = new Set(['funded', 'paid', 'returned'])

/** The bank knows of signers that we do not: a signature it still waits for, or wants anew, takes ours back. */
function signedAfter(
  { signed }: Payment,
  { status, statusReason }: StatusObservation,
  own: OwnWord | undefined,
): boolean {
  const waits = statusReason === 'PartlySigned' || status === 'Unsigned'
  const isProven = own?.move === 'exchange' && FUNDED.has(own.to)
  return waits ? false : signed || isProven || status === 'InProgress' || status === 'Completed'
}

/** A word that nobody knows says nothing of an exchange either. */
function exchangeOf(
  { exchange }: Payment,
  { status }: StatusObservation,
  { signed, own }: { readonly signed: boolean; readonly own: OwnWord | undefined },
): ExchangeState | null {
  if (own?.move === 'exchange') {
    return own.to
  }
  return exchange === null || status === null ? exchange : exchangeAfter(exchange, { status, signed })
}

/** What was decided is carried out at once. */
function dueAfter(exchange: ExchangeState | null, at: Temporal.Instant): Temporal.Instant | null {
  return exchange === null || dealFollows[exchange] === null ? null : at
}

/** The money for an exchange that stands may not come after all. */
function losesSignature(before: Payment, next: StatusToRecord): boolean {
  return next.exchange === 'standing' && before.signed && !next.signed
}

/** A bank that words the same anew has said nothing new: its words are kept, and make no history. */
function isChange(before: Payment, next: StatusToRecord): boolean {
  return before.status !== next.status || before.statusReason !== next.statusReason
}

async function raiseUnusual(
  context: Pick<Context, 'clock' | 'log'> & { readonly database: Queryable },
  before: Payment,
  next: StatusToRecord,
): Promise<void> {
  const from = { from: before.status, fromReason: before.statusReason }
  const to = { to: next.status, toReason: next.statusReason, bankStatus: next.bankStatus }
  await raiseTask(context, {
    partnerId: before.partnerId,
    kind: 'UnexpectedStatus',
    subjectType: 'payment',
    subjectId: before.id,
    detail: { bank: before.bic, ...from, ...to },
  })
}
