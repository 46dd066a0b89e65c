/** Asks a payment's bank how it stands, and records what it says. */
import type { Bank } from '../banks/bank.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { BankCaller, DomesticPaymentProduct } from '../banks/connector.ts'
import { bankCallerOf } from '../consents/consent.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { newId } from '../foundation/ids.ts'
import { retryAt } from '../foundation/retry-delay.ts'
import { raiseTask } from '../operators/raise-task.ts'
import { type HeldPayment, isHeld, type Payment } from './payment.ts'
import { recordStatus } from './record-status.ts'
import { postponePoll } from './status-store.ts'

/** The bank of a payment, and how it is asked without the user. */
export type PaymentAtBank = {
  readonly bank: Bank
  readonly payments: DomesticPaymentProduct
  readonly caller: BankCaller
}

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
    await endDueDay(context, at, recorded)
    await raiseWhenStuck(context, at.bank, recorded)
    return recorded
  } catch (error) {
    if (error instanceof BankRefusal) {
      await postpone(context, payment, error)
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

/** An order that nobody has signed by the end of its due day is withdrawn; only the bank's word makes it cancelled. */
async function endDueDay(context: Context, at: PaymentAtBank, payment: Payment): Promise<void> {
  const { bank } = at
  const isOver = Temporal.PlainDate.compare(context.clock.today(bank.profile.timeZone), payment.dueDate) > 0
  const lapses = bank.profile.unsignedLifetime === 'due-day'
  if (!isOver || !lapses || payment.status !== 'Unsigned' || !isHeld(payment)) {
    return
  }
  try {
    await withdraw(context, at, payment)
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    // Its next read, which is set already, tries again.
    context.log.warn({ paymentId: payment.id, refusal: error.kind }, 'an unsigned order could not be withdrawn')
  }
}

async function withdraw(context: Context, { payments, caller }: PaymentAtBank, payment: HeldPayment): Promise<void> {
  await payments.cancel(caller, payment.bankPaymentId, newId())
  const observation = await payments.read(caller, payment.bankPaymentId, { signed: payment.signed })
  await recordStatus(context, payment, observation)
}

async function raiseWhenStuck(context: Context, bank: Bank, payment: Payment): Promise<void> {
  const lastDay = payment.dueDate.add({ days: STUCK_AFTER_DAYS })
  const isLate = Temporal.PlainDate.compare(context.clock.today(bank.profile.timeZone), lastDay) > 0
  if (isLate && payment.status === 'InProgress') {
    const detail = { bank: payment.bic, dueDate: payment.dueDate.toString(), bankStatus: payment.bankStatus }
    await raiseTask(context, { ...subjectOf(payment), kind: 'StuckInProgress', detail })
  }
}

async function postpone(context: Context, payment: HeldPayment, refusal: BankRefusal): Promise<void> {
  const pollAt = retryAt(payment.statusAt, context.clock.now(), AFTER_FAILURE)
  context.log.warn({ paymentId: payment.id, refusal: refusal.kind }, 'a payment could not be read at its bank')
  await postponePoll(context.database, payment, { pollAt, pollStep: payment.pollStep })
  if (refusal.kind !== 'unavailable' && refusal.kind !== 'too-many-reads' && payment.status !== 'Unsigned') {
    const detail = { bank: payment.bic, refusal: refusal.kind, text: refusal.message }
    await raiseTask(context, { ...subjectOf(payment), kind: 'BankCannotBeRead', detail })
  }
}

function subjectOf({ partnerId, id }: Payment) {
  return { partnerId, subjectType: 'payment', subjectId: id } as const
}
