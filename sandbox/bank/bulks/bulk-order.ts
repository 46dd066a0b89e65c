/** The schema and parser of a bulk order. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { BankProfile } from '../fixture.ts'
import { AccountReference, PaymentOrder } from '../payments/payment-order.ts'
import { schemaErrorMessages } from '../schema-errors.ts'
import { formatErrorMessage, Xs2aError, type Xs2aErrorMessage } from '../xs2a-error.ts'

/** Maximum number of error messages per order. */
const MESSAGES_MAX = 100

/** Fields that apply to all payments of the bulk. */
const BULK_LEVEL_FIELDS = ['debtorAccount', 'requestedExecutionDate', 'requestedExecutionTime'] as const

const BulkTransactionOrder = Type.Omit(PaymentOrder, ['debtorAccount', 'requestedExecutionDate'])
const BulkOrder = Type.Object({
  batchBookingPreferred: Type.Optional(Type.Boolean()),
  debtorAccount: AccountReference,
  paymentInformationId: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  requestedExecutionDate: Type.Optional(Type.String()),
  payments: Type.Array(BulkTransactionOrder, { minItems: 1 }),
})
export type BulkTransactionOrder = Static<typeof BulkTransactionOrder>
export type BulkOrder = Static<typeof BulkOrder>

const orderCheck = Compile(BulkOrder)

/** Parses a body; one with more payments than the bank accepts is not examined further. */
export function readBulkOrder(
  body: unknown,
  { max: sizeMax, paymentInformationId }: NonNullable<BankProfile['bulk']>,
): BulkOrder {
  const size = sizeOf(body)
  if (size > sizeMax) {
    throw new Xs2aError(400, [formatErrorMessage('payments', `A bulk may have ${sizeMax} payments at most`)])
  }
  if (!orderCheck.Check(body)) {
    throw new Xs2aError(400, schemaErrorMessages(orderCheck.Errors(body)).slice(0, MESSAGES_MAX))
  }
  throwIfAnyOfMany(
    paymentInformationId || body.paymentInformationId === undefined
      ? []
      : [formatErrorMessage('paymentInformationId', 'The product has no such field')],
  )
  throwIfAnyOfMany(
    'requestedExecutionTime' in body ? [formatErrorMessage('requestedExecutionTime', 'A bulk has a date')] : [],
  )
  throwIfAnyOfMany(body.payments.flatMap((element, index) => misplacedFields(element, index)))
  return body
}

/** The path of a payment's field in the body. */
export function transactionPath(index: number, path?: string): string {
  return ['payments', index, ...(path === undefined ? [] : [path])].join('.')
}

/** Throws when there are errors, limited to the first of them. */
export function throwIfAnyOfMany(validationErrors: readonly Xs2aErrorMessage[]): void {
  if (validationErrors.length > 0) {
    throw new Xs2aError(400, validationErrors.slice(0, MESSAGES_MAX))
  }
}

function sizeOf(body: unknown): number {
  const isObject = typeof body === 'object' && body !== null
  return isObject && 'payments' in body && Array.isArray(body.payments) ? body.payments.length : 0
}

function misplacedFields(element: BulkTransactionOrder, index: number): readonly Xs2aErrorMessage[] {
  return BULK_LEVEL_FIELDS.filter((name) => name in element).map((name) =>
    formatErrorMessage(transactionPath(index, name), 'The bulk has this field for all its payments'),
  )
}
