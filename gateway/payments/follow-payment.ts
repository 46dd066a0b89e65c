/** Asks a payment's bank how it stands, and records what it says. */
import type { Bank } from '../banks/bank.ts'
import { BankRefusal, isGone } from '../banks/bank-refusal.ts'
import { bankCallerOf } from '../consents/consent.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { raiseTask } from '../operators/raise-task.ts'
import { noteLapsed } from './note-lapsed.ts'
import { type HeldPayment, isHeld, type Payment } from './payment.ts'
import { postponeReading } from './postpone-reading.ts'
import { recordStatus } from './record-status.ts'
import { type PaymentAtBank, withdrawUnsigned } from './withdraw-unsigned.ts'

/** Between the attempts at a bank that cannot be read. */
const AFTER_FAILURE = { leastSeconds: 10, mostSeconds: 3600 }
/** Two bank days lie within this many days. */
const STUCK_AFTER_DAYS = 4

/** Reads and records. A bank that cannot be read changes nothing but the time of the next read. */
export async function followPayment(context: Context, payment: Payment): Promise<Payment> {
  if (!isHeld(payment)) {
    return payment
  }
  try {
    const at = await atBank(context, payment)
    const { signed } = payment
    const observation = await at.payments.read(at.caller, payment.bankPaymentId, { signed })
    const recorded = await recordStatus(context, payment, observation)
    await withdrawUnsigned(context, at, recorded)
    await raiseWhenStuck(context, at.bank, recorded)
    return recorded
  } catch (error) {
    if (error instanceof BankRefusal) {
      await noteUnread(context, payment, error)
      return payment
    }
    throw error
  }
}

/** Finds how a payment's bank is asked. Throws `unavailable` when the bank is not served at this moment. */
export async function atBank(context: Context, payment: Payment): Promise<PaymentAtBank> {
  const bank = await context.banks.find(payment.bic)
  const consent = await consentOf(context, payment)
  const payments = bank && context.banks.connectorOf(bank).domesticPayments
  if (bank === undefined || consent === undefined || payments === undefined) {
    throw new BankRefusal('unavailable', `The bank ${payment.bic} is not served at this moment`)
  }
  return { bank, payments, caller: bankCallerOf(bank, consent, null) }
}

async function raiseWhenStuck(context: Context, bank: Bank, payment: Payment): Promise<void> {
  const lastDay = payment.dueDate.add({ days: STUCK_AFTER_DAYS })
  const isLate = Temporal.PlainDate.compare(context.clock.today(bank.profile.timeZone), lastDay) > 0
  if (isLate && payment.status === 'InProgress') {
    const detail = { bank: payment.bic, dueDate: payment.dueDate.toString(), bankStatus: payment.bankStatus }
    await raiseTask(context, { ...subjectOf(payment), kind: 'StuckInProgress', detail })
  }
}

async function noteUnread(context: Context, payment: HeldPayment, refusal: BankRefusal): Promise<void> {
  context.log.warn({ paymentId: payment.id, refusal: refusal.kind }, 'a payment could not be read at its bank')
  if (payment.status === 'Unsigned' && !payment.signed && isGone(refusal)) {
    await noteLapsed(context, payment, refusal)
    return
  }
  await postponeReading(context, payment, AFTER_FAILURE)
  if (refusal.kind !== 'unavailable' && refusal.kind !== 'too-many-reads' && mattersToPeople(payment)) {
    const detail = { bank: payment.bic, refusal: refusal.kind, text: refusal.message }
    await raiseTask(context, { ...subjectOf(payment), kind: 'BankCannotBeRead', detail })
  }
}

/** An order that nobody signed moves no money. */
function mattersToPeople({ status, signed }: Payment): boolean {
  return status !== 'Unsigned' || signed
}

function subjectOf({ partnerId, id }: Payment) {
  return { partnerId, subjectType: 'payment', subjectId: id } as const
}
