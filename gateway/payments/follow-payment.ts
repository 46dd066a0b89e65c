/** Asks a payment's bank how it stands, and records what it says. */

import { BankRefusal, isGone } from '../banks/connector/bank-error.ts'
import type { StatusObservation } from '../banks/connector/order-at-bank.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import { liveConsentOf } from '../consents/find-consent.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { raiseTask } from '../operators/raise-task.ts'
import { executionDay } from '../orders/instructions/expected-execution-date.ts'
import { awaitsEntry, NO_ENTRY_YET, settleByEntries } from '../orders/matching/settle-by-entries.ts'
import { type HeldPayment, isFinal, isHeld, type Payment } from '../orders/payment.ts'
import { findPayment } from '../orders/payment-store.ts'
import { ordersLike } from '../orders/status/order-lookup.ts'
import { isOverdue, pollTermsOf } from '../orders/status/poll-schedule.ts'
import { recordStatus } from '../orders/status/record-payment-status.ts'
import { noteLapsed } from './note-lapsed.ts'
import { postponeReading } from './postpone-reading.ts'
import { type PaymentAtBank, withdrawUnsigned } from './withdraw-unsigned.ts'

/** Between the attempts at a bank that cannot be read. */
const AFTER_FAILURE = { leastSeconds: 10, mostSeconds: 3600 }

/** Reads and records. A bank that cannot be read changes nothing but the time of the next read. */
export async function followPayment(context: Context, payment: Payment): Promise<Payment> {
  if (!isHeld(payment)) {
    return payment
  }
  try {
    // Found before the bank is asked: what it refuses then is this one, and not one that renews it meanwhile.
    const consent = await liveConsentOf(context, payment)
    const { partnerId, id: paymentId } = payment
    const shown = { partnerId, consentId: consent?.id ?? payment.consentId, paymentId }
    const { at, observation } = await withLiveTokens(context, shown, async () => {
      const asked = await atBank(context, payment)
      const { signed } = payment
      return { at: asked, observation: await asked.payments.read(asked.caller, payment, { signed }) }
    })
    const recorded = await recordStatus(context, payment, explained(context, at, payment, observation))
    return await seeTo(context, at, recorded)
  } catch (error) {
    if (error instanceof BankRefusal) {
      return await noteUnread(context, payment, error)
    }
    throw error
  }
}

/** What a reading calls for besides being recorded. */
async function seeTo(context: Context, at: PaymentAtBank, payment: Payment): Promise<Payment> {
  await withdrawUnsigned(context, at, payment)
  const seen = awaitsEntry(context, at, payment) ? await lookForEntry(context, at, payment) : payment
  await raiseWhenOverdue(context, at.bank, seen)
  return seen
}

async function lookForEntry(context: Context, at: PaymentAtBank, payment: Payment): Promise<Payment> {
  await settleByEntries(context, at, payment)
  return (await findPayment(context.database, payment)) ?? payment
}

/** A bank that shows no settlement leaves a question open, which is answered beside its word. */
function explained(
  context: Context,
  at: PaymentAtBank,
  payment: Payment,
  observation: StatusObservation,
): StatusObservation {
  const { status, statusReasonText } = observation
  const asks = status === 'InProgress' && payment.settledBy === null && awaitsEntry(context, at, { ...payment, status })
  return asks && statusReasonText === null ? { ...observation, statusReasonText: NO_ENTRY_YET } : observation
}

/** Finds how a payment's bank is asked by who ordered it. Throws `unavailable` when the bank is not served at this moment. */
export async function atBank(context: Context, payment: Payment): Promise<PaymentAtBank> {
  const { bank, payments } = await servedAt(context, payment)
  const consent = await liveConsentOf(context, payment)
  if (consent === undefined) {
    throw notServed(payment)
  }
  return { bank, payments, caller: await callerAtBank(context, { bank, consent, psu: null, paymentId: payment.id }) }
}

/** What a payment's bank offers, for whoever asks there as somebody else than who ordered it. Throws like `atBank`. */
export async function servedAt({ banks, database }: Context, payment: Payment): Promise<Omit<PaymentAtBank, 'caller'>> {
  const bank = await banks.find(payment.bic)
  const payments = bank && ordersLike({ database }, payment, banks.connectorOf(bank))
  if (bank === undefined || payments === undefined) {
    throw notServed(payment)
  }
  return { bank, payments }
}

function notServed({ bic }: Payment): BankRefusal {
  return new BankRefusal('unavailable', `The bank ${bic} is not served at this moment`)
}

/** Whatever it waits for, and whether its bank can be read or not: somebody has signed it, and expects it to be carried out. */
async function raiseWhenOverdue(context: Context, bank: Bank, payment: Payment): Promise<void> {
  const executesOn = executionDay(payment, bank, payment.createdAt)
  const isOpen = !isFinal(payment) && mattersToPeople(payment)
  if (isOpen && isOverdue(executesOn, context.clock.now(), pollTermsOf(bank))) {
    const { status, statusReason, bankStatus, signed } = payment
    const days = { dueDate: payment.dueDate.toString(), executionDate: executesOn.toString() }
    const detail = { bank: payment.bic, ...days, status, statusReason, bankStatus, signed }
    await raiseTask(context, { ...subjectOf(payment), kind: 'StuckInProgress', detail })
  }
}

async function noteUnread(context: Context, payment: HeldPayment, refusal: BankRefusal): Promise<Payment> {
  context.log.warn({ paymentId: payment.id, refusal: refusal.kind }, 'a payment could not be read at its bank')
  if (payment.status === 'Unsigned' && !payment.signed && isGone(refusal)) {
    return (await noteLapsed(context, payment, refusal)).payment
  }
  await postponeReading(context, payment, AFTER_FAILURE)
  const bank = await context.banks.find(payment.bic)
  await (bank && raiseWhenOverdue(context, bank, payment))
  if (refusal.kind !== 'unavailable' && refusal.kind !== 'too-many-reads' && mattersToPeople(payment)) {
    const detail = { bank: payment.bic, refusal: refusal.kind, text: refusal.message }
    await raiseTask(context, { ...subjectOf(payment), kind: 'BankCannotBeRead', detail })
  }
  return payment
}

/** An order that nobody signed moves no money. */
function mattersToPeople({ status, signed }: Payment): boolean {
  return status !== 'Unsigned' || signed
}

function subjectOf({ partnerId, id }: Payment) {
  return { partnerId, subjectType: 'payment', subjectId: id } as const
}
