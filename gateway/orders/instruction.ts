/** Defines what partners see of an order: the instruction that it belongs to, by which errors, logs and pages name it. */
import type { NamedOrder, ValidationError } from '../platform/http/errors/api-error.ts'
import type { OrderRequest, Payment } from './payment.ts'
import type { PayrollKey, TransactionRange } from './payroll-order.ts'

/** What partners see of an order: a payment, or the payroll that it belongs to. */
export type Instruction = {
  readonly id: string
  readonly noun: 'payment' | 'payroll'
  /** What an approval is of, in events. */
  readonly subject: 'payments' | 'payrolls'
  /** Its part of the API's paths. */
  readonly path: 'payments' | 'payroll'
  /** The name by which errors and logs refer to it. */
  readonly named: NamedOrder
  /**
   * Whether its contents are sealed and only the signing user may read them: a bank's text is redacted, because it may
   * repeat names and amounts of salaries.
   */
  readonly isPrivate: boolean
}

/** The instruction that an order belongs to. */
export function instructionOf({ id, payrollId }: Pick<Payment, 'id' | 'payrollId'>): Instruction {
  return payrollId === null
    ? { id, noun: 'payment', subject: 'payments', path: 'payments', named: { paymentId: id }, isPrivate: false }
    : { id: payrollId, noun: 'payroll', subject: 'payrolls', path: 'payroll', named: { payrollId }, isPrivate: true }
}

/** The orders whose calls to banks are logged under their ids: private ones are not shown to operators. */
export function loggedPaymentIds(orders: readonly Pick<Payment, 'id' | 'payrollId'>[]): readonly string[] {
  return orders.filter((order) => !instructionOf(order).isPrivate).map(({ id }) => id)
}

/** The transactions that an order consists of, where each is stored with a status of its own; undefined for a payment. */
export function transactionsOf(
  order: OrderRequest & Pick<Payment, 'partnerId'>,
): (PayrollKey & TransactionRange) | undefined {
  switch (order.type) {
    case 'Payroll':
      return { ...order.ordered, partnerId: order.partnerId }
    case 'Domestic':
    case 'CrossBorder':
      return undefined
  }
}

/** Errors for instructions that a request lists twice; ids are compared without regard to case. */
export function duplicateErrors(noun: Instruction['noun'], ids: readonly string[]): readonly ValidationError[] {
  const firstById = new Map<string, string>()
  return ids.flatMap((id, n) => {
    const path = `.${noun}s[${n}]`
    const first = firstById.getOrInsert(id.toLowerCase(), path)
    return first === path ? [] : [{ code: 'InvalidRequest', reason: `is the same ${noun} as ${first}`, path }]
  })
}
