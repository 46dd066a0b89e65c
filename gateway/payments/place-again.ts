/** Places an order again that its bank let lapse unsigned: identical amount, receiver and date, under a new id there. */

import type { BulkTaken } from '../banks/bulk-order.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { accountNumbered } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { keepAtLength } from '../foundation/keep-at-length.ts'
import { raiseTask, settleTask } from '../operators/raise-task.ts'
import { type HeldPayment, isPartners, type Payment } from '../orders/payment.ts'
import { findPayment } from '../orders/payment-store.ts'
import { payoutPlacerOf } from '../orders/payroll/payroll-order-submitter.ts'
import { keepElementIds } from '../orders/payroll/payroll-transaction-store.ts'
import { keepIntentAgain, type PlacedAgainIntent, takeBackIntent } from '../orders/status/expired-order-store.ts'
import { markKnown } from '../orders/status/payment-status-store.ts'
import { recordStatus } from '../orders/status/record-payment-status.ts'
import { newBankRequest } from '../orders/submission/bank-request.ts'
import { giveUp } from '../orders/submission/fail-submission.ts'
import { placerOf } from '../orders/submission/order-submitter.ts'
import { namedIn } from '../orders/submission/submission.ts'
import { isConstraintViolation } from '../platform/database/coalesce.ts'
import { outcomeUnknown, refuse } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { firstLook } from './follow-former-order.ts'
import { NotPlacedAgain } from './not-placed-again.ts'
import { requireGoneForGood } from './require-gone-for-good.ts'

/** An order that is kept as an intent again; partners know it by the payroll that it is of, if it is of one. */
type AgainIntent = PlacedAgainIntent & Pick<Payment, 'payrollId'>

/** Asks the bank to take the order. */
type Place = (request: { readonly requestId: string; readonly notification: string }) => Promise<BulkTaken>

/** Throws `NotPlacedAgain`, the bank's refusal, or 503 with the payment's id when it is not known whether the bank took it. */
export async function placeAgain(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: HeldPayment,
): Promise<Payment> {
  const today = context.clock.today(bank.profile.timeZone)
  if (Temporal.PlainDate.compare(payment.dueDate, today) < 0) {
    throw new NotPlacedAgain(`was dropped by its bank unsigned, and its due date, ${payment.dueDate}, is over`)
  }
  const place = await preparePlacing(context, caller, bank, payment)
  await requireGoneForGood(context, caller, bank, payment)
  const { intent, notification } = await keepIntent(context, payment)
  const taken = await handOver(context, intent, () => place({ requestId: intent.bankRequestId, notification }))
  return await keepTaken(context, intent, taken)
}

/** Whatever may fail before the bank is asked fails here, while nothing is kept yet. */
async function preparePlacing(
  context: Context,
  { consent, psu }: ConsentCaller,
  bank: Bank,
  payment: HeldPayment,
): Promise<Place> {
  const account = await accountNumbered(context, consent, payment.debtorBban)
  const connector = context.banks.connectorOf(bank)
  const debtorIban = account?.iban ?? null
  const place = isPartners(payment)
    ? placerOf(connector, bank, payment, debtorIban)
    : await payoutPlacerOf(context, connector, bank, { ...payment, debtorIban })
  if (place === undefined) {
    throw new NotPlacedAgain('was dropped by its bank unsigned, and cannot be placed there again')
  }
  const bankCaller = await callerAtBank(context, { bank, consent, psu })
  return (request) => place(bankCaller, request)
}

async function keepIntent(
  context: Context,
  payment: HeldPayment,
): Promise<{ intent: AgainIntent; notification: string }> {
  const { clock, database } = context
  const { partnerId, id, bankPaymentId } = payment
  const { notification, ...request } = newBankRequest(context, payment)
  const former = { formerBankPaymentId: bankPaymentId, formerId: newId(), formerPollAt: firstLook(clock) }
  const intent = { partnerId, id, ...former, ...request }
  const kept = await keepIntentAgain(database, intent).catch((error: unknown) => {
    if (isConstraintViolation(error, 'payments_open_outcome')) {
      return false
    }
    throw error
  })
  if (!kept) {
    throw refuse('conflict', 'The order is being placed at the bank by somebody else; ask again in a moment')
  }
  return { intent: { ...intent, payrollId: payment.payrollId }, notification }
}

/** Asks the bank once. Its no leaves the order lapsed as it was; anything unclear leaves an unknown outcome. */
async function handOver(context: Context, intent: AgainIntent, place: () => Promise<BulkTaken>): Promise<BulkTaken> {
  try {
    return await place()
  } catch (error) {
    const isCertain = error instanceof BankRefusal && error.kind !== 'outcome-unknown'
    if (isCertain && (await takeBackIntent(context.database, intent))) {
      // Recovery may have taken the intent up while the bank thought.
      await settleTask(context, outcomeTask(intent), `the bank refused the order late: ${error.message}`)
      throw isOfTheOrder(error)
        ? new NotPlacedAgain(`lapsed, and its bank does not take it again: ${error.message}`)
        : error
    }
    await giveUp(context, givenUp(intent), 'unknown', error)
    throw againUnknown(intent)
  }
}

function isOfTheOrder({ kind }: BankRefusal): boolean {
  return kind === 'order-refused' || kind === 'due-date-refused' || kind === 'ocr-refused' || kind === 'account-unknown'
}

/** Repeated while the database is away; people are told the bank's id when it stays away. */
async function keepTaken(context: Context, intent: AgainIntent, taken: BulkTaken): Promise<Payment> {
  const { bankPaymentId, observation, elementIds } = taken
  const known = { bankPaymentId, pollAt: context.clock.now() }
  try {
    await keepAtLength(context.log, () => markKnown(context.database, intent, known))
  } catch (error) {
    context.log.error({ paymentId: intent.id, bankPaymentId, error }, 'a bank took an order and that could not be kept')
    await giveUp(context, { ...givenUp(intent), bankPaymentId }, 'unknown', error)
    throw againUnknown(intent)
  }
  const payment = await findPayment(context.database, intent)
  if (payment?.bankPaymentId !== bankPaymentId) {
    throw await settledOtherwise(context, intent, bankPaymentId)
  }
  // Recovery may have taken the intent up while the bank thought.
  await settleTask(context, outcomeTask(intent), `the bank answered late: ${bankPaymentId}`)
  await settleTask(context, { ...outcomeTask(intent), kind: 'LapsedAtBank' }, `placed again as ${bankPaymentId}`)
  if (payment.type === 'Payroll' && elementIds !== undefined) {
    const { payrollId, first } = payment.ordered
    await keepElementIds(context.database, { partnerId: payment.partnerId, payrollId }, first, elementIds)
  }
  return await recordStatus(context, payment, observation)
}

async function settledOtherwise(context: Context, intent: PlacedAgainIntent, bankPaymentId: string): Promise<Error> {
  const { partnerId, id: subjectId } = intent
  const detail = { bankPaymentId, text: 'The bank took the order again after people had said that it did not' }
  await raiseTask(context, { partnerId, kind: 'UnexpectedStatus', subjectType: 'payment', subjectId, detail })
  return refuse('conflict', 'The payment was settled by people while its bank was asked')
}

function outcomeTask({ partnerId, id: subjectId }: PlacedAgainIntent) {
  return { partnerId, kind: 'UnknownOutcome', subjectId } as const
}

function givenUp({ partnerId, id: paymentId, bankRequestId }: PlacedAgainIntent) {
  return { partnerId, paymentId, bankRequestId }
}

function againUnknown({ id: paymentId, payrollId }: AgainIntent): Error {
  const kind = payrollId === null ? 'payment' : 'payroll'
  const detail = `it had let the order lapse, and was to take it again. Follow the ${kind} named here`
  return outcomeUnknown(namedIn({ paymentId, ...(payrollId === null ? {} : { payrollId }) }), detail)
}
