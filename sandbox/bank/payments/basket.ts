/** A signing basket: payments of one company that are authorised together. */

import type { Generated, Selectable } from 'kysely'
import type { OptionalTimestamp, Timestamp } from '../column-types.ts'
import type { OriginColumns } from '../xs2a/xs2a-call.ts'
import { maySign, type Payment } from './payment.ts'

/** Not authorised, partly or fully authorised; or expired, which releases its payments. */
export type BasketStatus = 'RCVD' | 'PATC' | 'ACTC' | 'RJCT'

export type BasketTable = OriginColumns & {
  position: Generated<bigint>
  id: string
  bank: string
  status: BasketStatus
  created_at: Timestamp
  /** When it expires without a first signature; null once signed. */
  due_at: OptionalTimestamp
}

export type Basket = Selectable<BasketTable>

export function isWaiting({ status }: Pick<Basket, 'status'>): boolean {
  return status === 'RCVD' || status === 'PATC'
}

/** The status for third parties: a basket without open payments is over. */
export function shownBasketStatus({ status }: Pick<Basket, 'status'>, payments: readonly Payment[]): BasketStatus {
  return isWaiting({ status }) && !payments.some(maySign) ? statusWithoutSignature(payments) : status
}

function statusWithoutSignature(payments: readonly Payment[]): BasketStatus {
  return payments.some(({ signed_at: signedAt }) => signedAt !== null) ? 'ACTC' : 'RJCT'
}

/** The basket's status after a signature, derived from its payments. */
export function statusAfterSigning(payments: readonly Payment[]): BasketStatus {
  return payments.some(({ status }) => status === 'PATC') ? 'PATC' : 'ACTC'
}

/** The path of a basket, below `/v1`. */
export function basketPath({ id }: Pick<Basket, 'id'>): string {
  return `/signing-baskets/${id}`
}
