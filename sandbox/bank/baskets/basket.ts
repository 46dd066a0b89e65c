/** What a signing basket is: payments of one company that are signed together. */
import type { Generated, Selectable } from 'kysely'
import type { OptionalTimestamp, Timestamp } from '../column-types.ts'
import { maySign, type Payment } from '../payments/payment.ts'

/** Nobody has signed, some have, all have; or its time passed, and its payments are free again. */
export type BasketStatus = 'RCVD' | 'PATC' | 'ACTC' | 'RJCT'

export type BasketTable = {
  position: Generated<bigint>
  id: string
  bank: string
  status: BasketStatus
  psu_id: string | null
  corporate_id: string | null
  redirect_uri: string | null
  nok_redirect_uri: string | null
  notification_uri: string | null
  notification_content: string | null
  created_at: Timestamp
  /** Until when it waits for its first signature; null when it waits no more. */
  due_at: OptionalTimestamp
}

export type Basket = Selectable<BasketTable>

/** Whether the basket still waits for signatures. */
export function isWaiting({ status }: Pick<Basket, 'status'>): boolean {
  return status === 'RCVD' || status === 'PATC'
}

/** What third parties see: one in which nothing is left to be signed is over, though nobody ended it. */
export function shownBasketStatus({ status }: Pick<Basket, 'status'>, payments: readonly Payment[]): BasketStatus {
  return isWaiting({ status }) && !payments.some(maySign) ? endWithout(payments) : status
}

function endWithout(payments: readonly Payment[]): BasketStatus {
  return payments.some(({ signed_at: signedAt }) => signedAt !== null) ? 'ACTC' : 'RJCT'
}

/** What a basket's payments make of it once somebody has signed. */
export function statusAfterSigning(payments: readonly Payment[]): BasketStatus {
  return payments.some(({ status }) => status === 'PATC') ? 'PATC' : 'ACTC'
}

/** Where a basket is found, below `/v1`. */
export function basketPath({ id }: Pick<Basket, 'id'>): string {
  return `/signing-baskets/${id}`
}
