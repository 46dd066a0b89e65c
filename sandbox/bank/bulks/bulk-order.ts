/** The shape of an order of many payments, as the standard writes it, and how a body is read into it. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { BankProfile } from '../fixture.ts'
import { AccountReference, PaymentOrder } from '../payments/payment-order.ts'
import { formatProblem, type RefusalMessage, Xs2aRefusal } from '../refusal.ts'
import { formProblems } from '../schema-errors.ts'

/** Nobody reads more of what is wrong with one order. */
const PROBLEMS_TOLD = 100

/** What the order says once for all payments in it. */
const SAID_ONCE = ['debtorAccount', 'requestedExecutionDate', 'requestedExecutionTime'] as const

const BulkElement = Type.Omit(PaymentOrder, ['debtorAccount', 'requestedExecutionDate'])
const BulkOrder = Type.Object({
  batchBookingPreferred: Type.Optional(Type.Boolean()),
  debtorAccount: AccountReference,
  paymentInformationId: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  requestedExecutionDate: Type.Optional(Type.String()),
  payments: Type.Array(BulkElement, { minItems: 1 }),
})
export type BulkElement = Static<typeof BulkElement>
export type BulkOrder = Static<typeof BulkOrder>

const orderCheck = Compile(BulkOrder)

/** Reads a body; what is longer than the bank takes is looked at no further. */
export function readBulkOrder(
  body: unknown,
  { max: sizeMax, paymentInformationId }: NonNullable<BankProfile['bulk']>,
): BulkOrder {
  const size = sizeOf(body)
  if (size > sizeMax) {
    throw new Xs2aRefusal(400, [formatProblem('payments', `A bulk holds ${sizeMax} payments at most`)])
  }
  if (!orderCheck.Check(body)) {
    throw new Xs2aRefusal(400, formProblems(orderCheck.Errors(body)).slice(0, PROBLEMS_TOLD))
  }
  requireFew(
    paymentInformationId || body.paymentInformationId === undefined
      ? []
      : [formatProblem('paymentInformationId', 'The product has no such member')],
  )
  requireFew('requestedExecutionTime' in body ? [formatProblem('requestedExecutionTime', 'A bulk has a date')] : [])
  requireFew(body.payments.flatMap((element, index) => strayMembers(element, index)))
  return body
}

/** Where a member of one of the payments is found in the body. */
export function elementPath(index: number, path: string): string {
  return `payments.${index}.${path}`
}

/** Refuses when problems were found, the first of them at once. */
export function requireFew(problems: readonly RefusalMessage[]): void {
  if (problems.length > 0) {
    throw new Xs2aRefusal(400, problems.slice(0, PROBLEMS_TOLD))
  }
}

function sizeOf(body: unknown): number {
  const isObject = typeof body === 'object' && body !== null
  return isObject && 'payments' in body && Array.isArray(body.payments) ? body.payments.length : 0
}

function strayMembers(element: BulkElement, index: number): readonly RefusalMessage[] {
  return SAID_ONCE.filter((name) => name in element).map((name) =>
    formatProblem(elementPath(index, name), 'The bulk says this for all payments in it'),
  )
}
