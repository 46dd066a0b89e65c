/** What a signing basket is: payments of one company that are signed together. */
import type { Selectable } from 'kysely'
import type { Payment } from '../payments/payment.ts'
import type { BasketTable } from '../tables.ts'

/** Nobody has signed, some have, all have. */
export type BasketStatus = 'RCVD' | 'PATC' | 'ACTC'

export type Basket = Selectable<BasketTable>

/** Whether the basket still waits for signatures. */
export function isWaiting({ status }: Basket): boolean {
  return status !== 'ACTC'
}

/** What a basket's payments make of it once somebody has signed. */
export function statusAfterSigning(payments: readonly Payment[]): BasketStatus {
  return payments.some(({ status }) => status === 'PATC') ? 'PATC' : 'ACTC'
}

/** Where a basket is found, below `/v1`. */
export function basketPath({ id }: Pick<Basket, 'id'>): string {
  return `/signing-baskets/${id}`
}
