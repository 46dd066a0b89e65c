/** Declares the operations that abandon an approval or a cancellation whose user does not come back. */
import type { TObject } from 'typebox'
import { operation } from './operation.ts'

/** What abandoning means, wherever something is signed. */
const MEANING =
  'Asks the bank first. 204: the bank had no signature, and what was to be signed can be signed or cancelled anew at once. ' +
  '409: something was signed, which stays signed; the rest is abandoned, and the message says what was signed. 503: the ' +
  'bank does not say whether it was signed; nothing is abandoned, and the user can go on with the same link. A user who ' +
  'is still at the bank may sign there after the 204, until the bank ends that session: the status tells. Repeating the ' +
  'request is safe.'

/** What each of them has of its own. */
type Abandoning = {
  readonly id: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** What it ends, before what abandoning means. */
  readonly description: string
  readonly permission?: 'payroll'
  /** The id of what is abandoned. */
  readonly params: TObject
}

/** Writes the entry of one down. */
export function abandonOperation<const Asked extends Abandoning>(asked: Asked) {
  return operation({
    ...asked,
    description: `${asked.description} ${MEANING}`,
    method: 'DELETE',
    server: 'base',
    admits: 'consent',
    psu: 'optional',
    answer: { status: 204, schema: null },
    failures: [
      'INVALID_CONSENT',
      'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
      'UNSUPPORTED_PRODUCT_BY_BANK',
      'ACCESS_DENIED',
    ],
    refusals: [400, 401, 403, 404, 409, 429, 500, 503],
    validation: [],
    idempotent: false,
    sandboxOnly: false,
  })
}
