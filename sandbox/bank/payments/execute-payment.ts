/** Carries a payment through its life: accepted once signed, begun on its day, booked, or given up. */
import { bookEntry, lockAccounts } from '../accounts/account-store.ts'
import { bookingRun, businessDay, endOfDay, startOfDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../context.ts'
import type { Notice } from '../push.ts'
import { accountOf, bankOfRow, signaturesRequired } from '../world.ts'
import { isExecuting, isOver, type Payment } from './payment.ts'
import { changePayment, forgetPayment, retryUnfunded } from './payment-store.ts'

const LAPSED_TEXT = 'The payment was not signed in time'
const NO_FUNDS_TEXT = 'The account held too little money on the due day'

/** Takes one more signature; the last one sets the payment going. `signers` are the people who have signed by now. */
export async function acceptSignature(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  signed: { readonly signers: number; readonly at: Temporal.Instant },
): Promise<readonly Notice[]> {
  const { signers, at } = signed
  const account = accountOf(context.world, payment.bank, payment.debtor)
  const required = account === undefined ? 1 : signaturesRequired(context.world, account)
  if (signers < required) {
    return await changePayment(transaction, payment, { status: 'PATC' }, at)
  }
  const bank = bankOfRow(context.world, payment.bank)
  const isDue = Temporal.PlainDate.compare(payment.execution_on, businessDay(bank, at)) <= 0
  const change = isDue
    ? { status: 'ACSP' as const, due_at: at.add({ seconds: bank.settlement.sameDaySeconds }).toString() }
    : { status: 'ACTC' as const, due_at: startOfDay(bank, payment.execution_on).toString() }
  return await changePayment(transaction, payment, { ...change, signed_at: at.toString() }, at)
}

/** Does what is due of a payment at an instant. */
export async function advancePayment(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const bank = bankOfRow(context.world, payment.bank)
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

/** Books a payment when the debtor has the money; otherwise it waits until the day is over, and is then given up. */
export async function bookPayment(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const bank = bankOfRow(context.world, payment.bank)
  const accounts = await lockAccounts(transaction, payment.bank, [payment.debtor, payment.creditor])
  const debtor = accounts.find(({ bban }) => bban === payment.debtor)
  if (debtor === undefined || debtor.balance_minor < payment.amount_minor) {
    return await waitForFunds(transaction, payment, endOfDay(bank, businessDay(bank, at)), at)
  }
  const creditor = accounts.find(({ bban }) => bban === payment.creditor)
  const posting = {
    day: businessDay(bank, at),
    at,
    message: payment.message,
    reference: payment.reference,
    paymentId: payment.id,
  }
  await bookEntry(transaction, debtor, {
    ...posting,
    minor: -payment.amount_minor,
    counterparty: payment.creditor_name,
    counterpartyAccount: payment.creditor,
  })
  if (creditor !== undefined && creditor.bban !== debtor.bban) {
    await bookEntry(transaction, creditor, {
      ...posting,
      minor: payment.amount_minor,
      counterparty: accountOf(context.world, payment.bank, payment.debtor)?.ownerName ?? payment.debtor,
      counterpartyAccount: payment.debtor,
    })
    await retryUnfunded(transaction, creditor, at)
  }
  return await changePayment(
    transaction,
    payment,
    { status: 'ACSC', funds_available: true, due_at: null, closes_at: null },
    at,
  )
}

async function waitForFunds(
  transaction: BankTransaction,
  payment: Payment,
  dayEnds: Temporal.Instant,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const closesAt = payment.closes_at ?? dayEnds
  if (Temporal.Instant.compare(at, closesAt) >= 0) {
    const change = { status: 'RJCT', status_text: NO_FUNDS_TEXT, due_at: null } as const
    return await changePayment(transaction, payment, change, at)
  }
  const waiting = { funds_available: false, closes_at: closesAt.toString(), due_at: closesAt.toString() }
  return await changePayment(transaction, payment, waiting, at)
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
