/** Tells the circuits of a bank apart: a bank may fail to take orders and still answer everything else. */

/** `orders` are initiations; `others` are all other calls, such as status reads and revocations. */
export type Circuit = 'orders' | 'others'

const ORDERS: ReadonlySet<string> = new Set(['initiatePayment', 'initiateBulkPayment'])

/** The circuit that a call belongs to, by the name of its operation. */
export function circuitOf(operation: string): Circuit {
  return ORDERS.has(operation) ? 'orders' : 'others'
}
