/** Builds the rows of an unsigned order: its own, and of a bulk those of its transactions. */
import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import { endOfDay, executionDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import { receiverOf } from '../fixture-lookup.ts'
import { scriptedStart } from '../outcomes/scripted-outcome-table.ts'
import { part, requestOriginColumns, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { sizeText } from './bulk-transaction.ts'
import type { NewBulkTransaction } from './bulk-transaction-store.ts'
import { remittanceOf } from './parse/remittance.ts'
import { receivingAccount } from './parse/resolve-parties.ts'
import { totalOf, type ValidOrder, type ValidTransaction } from './parse/validate-order.ts'
import type { PaymentTable } from './payment.ts'

export function orderRow(context: Context, call: Xs2aCall, valid: ValidOrder): Insertable<PaymentTable> {
  const { bank, headers } = call
  const { requestedOn, debtor } = valid
  const now = context.clock.now()
  const money = totalOf(valid)
  const { creditor, ...contents } = contentsOf(context, call, valid)
  const executionOn = executionDay(bank, { ...creditor, requestedOn }, now)
  return {
    ...contents,
    id: newId(),
    bank: bank.bic,
    service: valid.service,
    product: part(call, 'product'),
    body: JSON.stringify(valid.body),
    debtor,
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
    due_at: endOfDay(bank, executionOn).toString(),
    ...scriptedStart(money, now),
  }
}

/** The rows of a bulk's transactions; a single payment has none. */
export function transactionRows(
  context: Context,
  call: Xs2aCall,
  { service, transactions }: ValidOrder,
): readonly NewBulkTransaction[] {
  return service === 'payments'
    ? []
    : transactions.map((one) => ({
        id: newId(),
        body: one.order,
        rail: one.creditor.rail,
        creditor: one.creditor.number,
        creditor_name: creditorNameOf(context, call, one),
        amount_minor: one.money.minor,
        ...remittanceOf(one.order),
      }))
}

/** A bulk has its number of payments in place of the creditor's name. */
function contentsOf(context: Context, call: Xs2aCall, { service, body, transactions }: ValidOrder) {
  const [first] = transactions
  if (first === undefined) {
    throw new Error('An order that passed every rule has no transaction')
  }
  return service === 'payments'
    ? {
        creditor: first.creditor,
        creditor_name: creditorNameOf(context, call, first),
        ...remittanceOf(first.order),
        bulk_size: null,
      }
    : {
        // Executed like payments to other banks, which is what most of them are.
        creditor: { rail: first.creditor.rail, number: digestOf(transactions), isInside: false },
        creditor_name: sizeText(transactions.length),
        message: body.paymentInformationId ?? null,
        reference: null,
        bulk_size: transactions.length,
      }
}

/** Where orders need not name the creditor, the bank looks it up. */
function creditorNameOf(
  { fixture }: Context,
  { bank }: Pick<Xs2aCall, 'bank'>,
  { order, creditor: { rail, number } }: ValidTransaction,
): string {
  return (
    order.creditorName ??
    receiverOf(fixture, bank, rail, number)?.name ??
    receivingAccount(fixture, bank, { rail, creditor: number, currency: bank.currency })?.ownerName ??
    number
  )
}

/** Equal orders have equal digests, by which the bank detects duplicates. */
function digestOf(transactions: readonly ValidTransaction[]): string {
  const paid = transactions.map(({ order, creditor, money }) => [
    creditor.number,
    money.minor.toString(),
    ...Object.values(remittanceOf(order)),
  ])
  return createHash('sha256').update(JSON.stringify(paid)).digest('base64url')
}
