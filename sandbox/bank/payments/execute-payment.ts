/** Carries a payment through its life: accepted once signed, begun on its day, booked, or given up. */
import { bookingRun, businessDay, executionDay, startOfDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import {
  afterPartSignature,
  playSignature,
  playStep,
  type Stage,
  scriptedSigners,
} from '../outcomes/simulate-payment-outcome.ts'
import type { Notice } from '../push-notifications.ts'
import { accountOf, bankOfRow, signaturesRequired } from '../world.ts'
import { bookPayment } from './book-payment.ts'
import { isExecuting, isOver, type Payment } from './payment.ts'
import { changePayment, forgetPayment, type PaymentChange } from './payment-store.ts'
import { receivingAccount } from './resolve-parties.ts'
import { bookBack } from './return-payment.ts'

const LAPSED_TEXT = 'The payment was not signed in time'

/** What a scripted outcome leaves to the bank's usual ways; signing in the netbank is done by everybody who has to. */
export const usual: Stage['usual'] = {
  book: bookPayment,
  bookBack,
  sign: (context, transaction, payment, at) =>
    acceptSignature(context, transaction, payment, { signers: Number.POSITIVE_INFINITY, at }),
}

/** Takes one more signature; the last one sets the payment going. `signers` are the people who have signed by now. */
export async function acceptSignature(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  signed: { readonly signers: number; readonly at: Temporal.Instant },
): Promise<readonly Notice[]> {
  const { signers, at } = signed
  const account = accountOf(context.world, payment.bank, payment.debtor)
  const asked = account === undefined ? 1 : signaturesRequired(context.world, account)
  const stage = { context, transaction, at, usual }
  if (signers < Math.max(asked, scriptedSigners(payment))) {
    return await changePayment(transaction, payment, { status: 'PATC', ...afterPartSignature(stage, payment) }, at)
  }
  const played = await playSignature(stage, payment)
  if (played !== null) {
    return played
  }
  return await setGoing(context, transaction, payment, at)
}

/** Begins execution when the day has come; otherwise the payment waits for it. Signed too late, it is carried out later. */
async function setGoing(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const bank = bankOfRow(context.world, payment.bank)
  const isInside = receivingAccount(context.world, bank, payment)?.bic === bank.bic
  const requestedOn = payment.requested_on ?? payment.execution_on
  const executionOn = executionDay(bank, { rail: payment.rail, requestedOn, isInside }, at)
  const isDue = Temporal.PlainDate.compare(executionOn, businessDay(bank, at)) <= 0
  const change: PaymentChange = isDue
    ? { status: 'ACSP', due_at: at.add({ seconds: bank.settlement.sameDaySeconds }).toString() }
    : { status: bank.waitingStatus, due_at: startOfDay(bank, executionOn).toString() }
  const signed = { signed_at: at.toString(), execution_on: executionOn.toString() }
  return await changePayment(transaction, payment, { ...change, ...signed }, at)
}

/** Does what is due of a payment at an instant. */
export async function advancePayment(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const bank = bankOfRow(context.world, payment.bank)
  const played = await playStep({ context, transaction, at, usual }, payment)
  if (played !== null) {
    return played
  }
  if (isOver(payment.status)) {
    return await changePayment(transaction, payment, { due_at: null }, at)
  }
  if (isExecuting(payment.status)) {
    return await bookPayment(context, transaction, payment, at)
  }
  if (payment.signed_at !== null) {
    const dueAt = bookingRun(bank, payment.execution_on).toString()
    return await changePayment(transaction, payment, { status: 'ACSP', due_at: dueAt }, at)
  }
  return await lapse(context, transaction, payment, at)
}

async function lapse(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const bank = bankOfRow(context.world, payment.bank)
  if (bank.unsignedLifetime.outcome === 'forget') {
    await forgetPayment(transaction, payment)
    return []
  }
  const change = { status: 'RJCT', status_text: LAPSED_TEXT, lapsed: true, due_at: null } as const
  return await changePayment(transaction, payment, change, at)
}
