/** Makes the row of a payment out of a sound order. */
import type { Insertable } from 'kysely'
import { newId } from '../../../gateway/foundation/ids.ts'
import { parseMoney } from '../../../gateway/foundation/money.ts'
import { endOfDay, executionDay } from '../bank-calendar.ts'
import type { BankContext } from '../context.ts'
import { refuseIfScripted, scriptedStart } from '../outcomes/play-order.ts'
import type { PaymentTable } from '../tables.ts'
import { receiverOf } from '../world.ts'
import { part, type Xs2aCall } from '../xs2a/call.ts'
import { originOf } from '../xs2a/origin-of.ts'
import { type Creditor, receivingAccount } from './parties.ts'
import type { PaymentOrder } from './payment-order.ts'
import { requestedDay } from './payment-rules.ts'
import { remittanceOf } from './remittance.ts'

/** An order and the parties that were found in it. */
export type OrderedPayment = { readonly order: PaymentOrder; readonly debtor: string; readonly creditor: Creditor }

/** The row, unsigned. */
export function paymentRow(context: BankContext, call: Xs2aCall, ordered: OrderedPayment): Insertable<PaymentTable> {
  const { bank, headers } = call
  const { order, debtor, creditor } = ordered
  const now = context.clock.now()
  const money = parseMoney(order.instructedAmount.amount, order.instructedAmount.currency)
  const requestedOn = requestedDay(bank, order, now)
  if (money === undefined || requestedOn === undefined) {
    throw new Error('An order that passed every rule has no amount or day')
  }
  refuseIfScripted(money)
  const executionOn = executionDay(bank, { ...creditor, requestedOn }, now)
  const { minutes } = bank.unsignedLifetime
  return {
    id: newId(),
    bank: bank.bic,
    service: 'payments',
    product: part(call, 'product'),
    body: JSON.stringify(order),
    debtor,
    rail: creditor.rail,
    creditor: creditor.number,
    creditor_name: order.creditorName ?? nameOf(context, call, creditor),
    amount_minor: money.minor,
    currency: money.currency,
    ...remittanceOf(order),
    requested_on: requestedOn.toString(),
    execution_on: executionOn.toString(),
    status: bank.initialStatus,
    last_visible: bank.lastVisible,
    lapsed: false,
    request_id: headers.requestId,
    ...originOf(call),
    created_at: now.toString(),
    changed_at: now.toString(),
    due_at: (minutes === null ? endOfDay(bank, executionOn) : now.add({ minutes })).toString(),
    ...scriptedStart(money, now),
  }
}

/** Where orders need not name the receiver, the bank finds the name. */
function nameOf({ world }: BankContext, { bank }: Xs2aCall, { rail, number }: Creditor): string {
  const receiver = receiverOf(world, bank, rail, number)
  return (
    receiver?.name ??
    receivingAccount(world, bank, { rail, creditor: number, currency: bank.currency })?.ownerName ??
    number
  )
}
