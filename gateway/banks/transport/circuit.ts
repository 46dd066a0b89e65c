/** Assigns calls to the circuits of a bank: a bank may fail to accept orders and still answer all other calls. */

/** `orders` are initiations; `others` are all other calls, such as status reads and revocations. */
export type Circuit = 'orders' | 'others'

const ORDERS: ReadonlySet<string> = new Set(['initiatePayment', 'initiateBulkPayment'])

/** The circuit of a call by its operation name. */
export function circuitOf(operation: string): Circuit {
  return ORDERS.has(operation) ? 'orders' : 'others'
}
