/** Executes a payment: accepted once signed, started on its day, then booked or rejected. */
import { bookingRun, businessDay, executionDay, startOfDay } from '../bank-calendar.ts'
import type { BankTransaction, Context } from '../context.ts'
import { accountOf, requireBankByBic, signaturesRequired } from '../fixture-lookup.ts'
import {
  changeAfterPartialSignature,
  type StepContext,
  scriptedSignatureCount,
  simulateFullSignature,
  simulateStep,
} from '../outcomes/simulate-payment-outcome.ts'
import type { PushNotification } from '../push-notifications.ts'
import { bookPayment } from './book-payment.ts'
import { isExecuting, isFinalStatus, type Payment } from './payment.ts'
import { deletePayment, type PaymentChange, updatePayment } from './payment-store.ts'
import { receivingAccount } from './resolve-parties.ts'
import { returnPayment } from './return-payment.ts'

const EXPIRED_TEXT = 'The payment was not signed in time'

/** The bank's actions for scripted outcomes; in the netbank every required user signs. */
export const usual: StepContext['usual'] = {
  book: bookPayment,
  bookBack: returnPayment,
  sign: (context, transaction, payment, at) =>
    acceptSignature(context, transaction, payment, { signers: Number.POSITIVE_INFINITY, at }),
}

/** Records a signature; the last one starts the execution. `signers` are all users who have signed by now. */
export async function acceptSignature(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  signed: { readonly signers: number; readonly at: Temporal.Instant },
): Promise<readonly PushNotification[]> {
  const { signers, at } = signed
  const account = accountOf(context.fixture, payment.bank, payment.debtor)
  const requested = account === undefined ? 1 : signaturesRequired(context.fixture, account)
  const stage = { context, transaction, at, usual }
  if (signers < Math.max(requested, scriptedSignatureCount(payment))) {
    return await updatePayment(
      transaction,
      payment,
      { status: 'PATC', ...changeAfterPartialSignature(stage, payment) },
      at,
    )
  }
  const played = await simulateFullSignature(stage, payment)
  if (played !== null) {
    return played
  }
  return await startExecution(context, transaction, payment, at)
}

/** Starts the execution on its day; until then the payment waits. After the cut-off time it is executed later. */
async function startExecution(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const bank = requireBankByBic(context.fixture, payment.bank)
  const isInside = receivingAccount(context.fixture, bank, payment)?.bic === bank.bic
  const requestedOn = payment.requested_on ?? payment.execution_on
  const executionOn = executionDay(bank, { rail: payment.rail, requestedOn, isInside }, at)
  const isDue = Temporal.PlainDate.compare(executionOn, businessDay(bank, at)) <= 0
  const change: PaymentChange = isDue
    ? { status: 'ACSP', due_at: at.add({ seconds: bank.settlement.sameDaySeconds }).toString() }
    : { status: bank.waitingStatus, due_at: startOfDay(bank, executionOn).toString() }
  const signed = { signed_at: at.toString(), execution_on: executionOn.toString() }
  return await updatePayment(transaction, payment, { ...change, ...signed }, at)
}

/** Executes the step of a payment that is due at an instant. */
export async function advancePayment(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const bank = requireBankByBic(context.fixture, payment.bank)
  const played = await simulateStep({ context, transaction, at, usual }, payment)
  if (played !== null) {
    return played
  }
  if (isFinalStatus(payment.status)) {
    return await updatePayment(transaction, payment, { due_at: null }, at)
  }
  if (isExecuting(payment.status)) {
    return await bookPayment(context, transaction, payment, at)
  }
  if (payment.signed_at !== null) {
    const dueAt = bookingRun(bank, payment.execution_on).toString()
    return await updatePayment(transaction, payment, { status: 'ACSP', due_at: dueAt }, at)
  }
  return await expirePayment(context, transaction, payment, at)
}

async function expirePayment(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const bank = requireBankByBic(context.fixture, payment.bank)
  if (bank.unsignedLifetime.outcome === 'forget') {
    await deletePayment(transaction, payment)
    return []
  }
  const change = { status: 'RJCT', status_text: EXPIRED_TEXT, lapsed: true, due_at: null } as const
  return await updatePayment(transaction, payment, change, at)
}
