/** Builds the row of an unsigned order: a payment, or a bulk. */
import type { Insertable } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import { type Money, parseMoney } from '../../../gateway/platform/money.ts'
import { endOfDay, executionDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import { receiverOf } from '../fixture-lookup.ts'
import { rejectIfScripted, scriptedStart } from '../outcomes/simulate-order-outcome.ts'
import { requestOriginColumns } from '../xs2a/request-origin.ts'
import { part, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import type { PaymentTable } from './payment.ts'
import type { PaymentOrder } from './payment-order.ts'
import { requestedDay } from './payment-validation.ts'
import { remittanceOf } from './remittance.ts'
import { type Creditor, receivingAccount } from './resolve-parties.ts'

/** An order and its resolved parties. */
export type OrderedPayment = { readonly order: PaymentOrder; readonly debtor: string; readonly creditor: Creditor }

/** The columns that differ between kinds of orders. */
export type OrderParts = Pick<
  Insertable<PaymentTable>,
  'service' | 'body' | 'debtor' | 'creditor_name' | 'message' | 'reference' | 'bulk_size'
> & {
  readonly creditor: Pick<Creditor, 'rail' | 'number' | 'isInside'>
  readonly money: Money
  readonly requestedOn: Temporal.PlainDate
}

/** The row of a single payment. */
export function paymentRow(context: Context, call: Xs2aCall, ordered: OrderedPayment): Insertable<PaymentTable> {
  const { order, debtor, creditor } = ordered
  const money = parseMoney(order.instructedAmount.amount, order.instructedAmount.currency)
  const requestedOn = requestedDay(call.bank, order, context.clock.now())
  if (money === undefined || requestedOn === undefined) {
    throw new Error('An order that passed every rule has no amount or day')
  }
  return orderRow(context, call, {
    service: 'payments',
    body: JSON.stringify(order),
    debtor,
    creditor,
    creditor_name: order.creditorName ?? creditorNameOf(context, call, creditor),
    money,
    ...remittanceOf(order),
    requestedOn,
    bulk_size: null,
  })
}

/** The row of any order; rejects one whose amount selects a rejection. */
export function orderRow(
  context: Context,
  call: Xs2aCall,
  { creditor, money, requestedOn, ...columns }: OrderParts,
): Insertable<PaymentTable> {
  const { bank, headers } = call
  const now = context.clock.now()
  rejectIfScripted(money)
  const executionOn = executionDay(bank, { ...creditor, requestedOn }, now)
  const { minutes } = bank.unsignedLifetime
  return {
    ...columns,
    id: newId(),
    bank: bank.bic,
    product: part(call, 'product'),
    rail: creditor.rail,
    creditor: creditor.number,
    amount_minor: money.minor,
    currency: money.currency,
    requested_on: requestedOn.toString(),
    execution_on: executionOn.toString(),
    status: bank.initialStatus,
    last_visible: bank.lastVisible,
    lapsed: false,
    request_id: headers.requestId,
    ...requestOriginColumns(call),
    created_at: now.toString(),
    changed_at: now.toString(),
    due_at: (minutes === null ? endOfDay(bank, executionOn) : now.add({ minutes })).toString(),
    ...scriptedStart(money, now),
  }
}

/** Where orders need not name the creditor, the bank looks it up. */
export function creditorNameOf(
  { fixture }: Context,
  { bank }: Pick<Xs2aCall, 'bank'>,
  { rail, number }: Pick<Creditor, 'rail' | 'number'>,
): string {
  const receiver = receiverOf(fixture, bank, rail, number)
  return (
    receiver?.name ??
    receivingAccount(fixture, bank, { rail, creditor: number, currency: bank.currency })?.ownerName ??
    number
  )
}
