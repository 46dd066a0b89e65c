/** Parses the body of an order: a single payment, or a bulk. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { BankProfile } from '../../fixture.ts'
import {
  errorUnless,
  formatErrorMessage,
  requireBody,
  throwIfAnyMessage,
  type Xs2aErrorMessage,
} from '../../xs2a-error.ts'
import type { OrderService } from '../payment.ts'
import { AccountReference, PaymentOrder } from './payment-order.ts'

/** Fields that apply to all payments of the bulk. */
const BULK_LEVEL_FIELDS = ['debtorAccount', 'requestedExecutionDate', 'requestedExecutionTime'] as const

const TransactionOrder = Type.Omit(PaymentOrder, ['debtorAccount', 'requestedExecutionDate'])
const BulkOrder = Type.Object({
  batchBookingPreferred: Type.Optional(Type.Boolean()),
  debtorAccount: AccountReference,
  paymentInformationId: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  requestedExecutionDate: Type.Optional(Type.String()),
  payments: Type.Array(TransactionOrder, { minItems: 1 }),
})
/** One transfer of money. */
export type TransactionOrder = Static<typeof TransactionOrder>

/** What applies to the whole order, and its transactions: of a single payment the order itself. */
export type ParsedOrder = {
  readonly service: OrderService
  /** The order as it is stored; of a bulk without its transactions. */
  readonly body: Pick<Static<typeof BulkOrder>, 'debtorAccount' | 'requestedExecutionDate' | 'paymentInformationId'>
  readonly transactions: readonly TransactionOrder[]
}

const singleCheck = Compile(PaymentOrder)
const bulkCheck = Compile(BulkOrder)

/** Throws all schema errors at once, up to a limit. Unknown fields are ignored. */
export function parseOrder(bank: BankProfile, service: OrderService, body: unknown): ParsedOrder {
  return bank.bulk !== null && service === 'bulk-payments' ? parseBulkOrder(bank.bulk, body) : parseSingleOrder(body)
}

function parseSingleOrder(unvalidated: unknown): ParsedOrder {
  const body = requireBody(singleCheck, unvalidated)
  rejectTime(body)
  return { service: 'payments', body, transactions: [body] }
}

/** One with more payments than the bank accepts is not examined further. */
function parseBulkOrder(
  { max: sizeMax, paymentInformationId }: NonNullable<BankProfile['bulk']>,
  unvalidated: unknown,
): ParsedOrder {
  const isTooLarge = sizeOf(unvalidated) > sizeMax
  throwIfAnyMessage(errorUnless(!isTooLarge, 'payments', `A bulk may have ${sizeMax} payments at most`))
  const body = requireBody(bulkCheck, unvalidated)
  const mayHaveId = paymentInformationId || body.paymentInformationId === undefined
  throwIfAnyMessage(errorUnless(mayHaveId, 'paymentInformationId', 'The product has no such field'))
  rejectTime(body)
  throwIfAnyMessage(body.payments.flatMap((element, index) => misplacedFields(element, index)))
  const { payments, ...order } = body
  return { service: 'bulk-payments', body: order, transactions: payments }
}

/** Ignored, it would be executed at another time. */
function rejectTime(body: object): void {
  throwIfAnyMessage(errorUnless(!('requestedExecutionTime' in body), 'requestedExecutionTime', 'An order has a date'))
}

/** The path of a transaction's field in the body. */
export function transactionPath(
  { service }: Pick<ParsedOrder, 'service'>,
  index: number,
  path?: string,
): string | undefined {
  return service === 'payments' ? path : ['payments', index, ...(path === undefined ? [] : [path])].join('.')
}

function sizeOf(body: unknown): number {
  const isObject = typeof body === 'object' && body !== null
  return isObject && 'payments' in body && Array.isArray(body.payments) ? body.payments.length : 0
}

function misplacedFields(element: TransactionOrder, index: number): readonly Xs2aErrorMessage[] {
  return BULK_LEVEL_FIELDS.filter((name) => name in element).map((name) =>
    formatErrorMessage(`payments.${index}.${name}`, 'The bulk has this field for all its payments'),
  )
}
