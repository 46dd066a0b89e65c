/** Declares the operations that abandon an approval or a cancellation that the user has left unfinished. */
import type { TObject } from 'typebox'
import { operation } from './operation.ts'
import { scaOperation } from './sca.ts'

/** The description that all abandon operations share. */
const MEANING =
  'Asks the bank first. 204: nothing was signed; the orders can be approved or cancelled again at once. 409: some ' +
  'orders were signed and stay signed; the rest is abandoned, and the message lists the signed ones. 503: the bank ' +
  'does not report whether it was signed; nothing is abandoned, and the user can continue with the same link. A user ' +
  'who is still at the bank may sign after the 204, until the bank ends that session: check the status. Repeating ' +
  'the request is safe.'

/** The properties in which the abandon operations differ. */
type AbandonedResource = {
  readonly id: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** What is ended; inserted before the shared description. */
  readonly description: string
  readonly permission?: 'payroll'
  /** The path parameters: the id of the approval or cancellation. */
  readonly params: TObject
}

/** Returns the contract entry of an abandon operation. */
export function abandonOperation<const Asked extends AbandonedResource>(asked: Asked) {
  return operation({
    ...scaOperation,
    ...asked,
    description: `${asked.description} ${MEANING}`,
    destructive: 'Its user can no longer sign it, and must start again.',
    method: 'DELETE',
    psu: 'optional',
    answer: { status: 204, schema: null },
  })
}
