/** What an exchange is to the payment that it belongs to: how far it has come, and what the bank's word means through it. */
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/shapes.ts'

/** An owned lifecycle, kept in the payment's row; the deal at the provider follows it and never runs ahead of it. */
export type ExchangeState =
  /** The provider is being asked to book; the bank knows nothing of the order yet. */
  | 'booking'
  /** Booked; the bank is asked, or holds the order, and the deadline for its signature runs. */
  | 'awaited'
  /** Signed: the deal stands. */
  | 'standing'
  /** The money has arrived at the provider. */
  | 'funded'
  /** The receiver has been paid. */
  | 'paid'
  /** The payout came back. */
  | 'returned'
  /** Undone: not signed in time, withdrawn, or never funded. */
  | 'broken'
  /** Undone because the bank refused the order. */
  | 'refused'
  /** Undone while the bank still holds the order, which it does not let us withdraw. */
  | 'unwithdrawn'

/** Which states may follow which. */
export const exchangeMayBecome: Readonly<Record<ExchangeState, readonly ExchangeState[]>> = {
  booking: ['awaited', 'broken'],
  awaited: ['standing', 'broken', 'refused', 'unwithdrawn', 'funded', 'paid', 'returned'],
  standing: ['funded', 'broken', 'refused', 'paid', 'returned'],
  funded: ['paid', 'returned'],
  paid: ['returned'],
  returned: ['paid'],
  // Money that arrives in full before the deal is undone proves a signature, whatever was decided of it.
  broken: ['funded', 'paid', 'returned'],
  // People had said that the bank never took the order, and then it did.
  refused: ['unwithdrawn', 'funded', 'paid', 'returned'],
  unwithdrawn: ['broken', 'funded', 'paid', 'returned'],
}

/** A status as partners see it. */
type Standing = { readonly status: PaymentStatusValue; readonly statusReason: PaymentStatusReason | null }

/** What a bank says, as far as an exchange cares; `signed` once every signature that the bank needs was given. */
export type BankWord = Pick<Standing, 'status'> & { readonly signed: boolean }

/** How the deal must end, or go on, once the exchange has come to a state; null while nothing follows from it. */
export const dealFollows: Readonly<Record<ExchangeState, 'stand' | 'break' | null>> = {
  booking: null,
  awaited: null,
  standing: 'stand',
  funded: null,
  paid: null,
  returned: null,
  broken: 'break',
  refused: 'break',
  unwithdrawn: 'break',
}

/** What partners see whatever the bank says; null while the bank's word counts. */
const shownInstead: Readonly<Record<ExchangeState, PaymentStatusValue | null>> = {
  booking: null,
  awaited: null,
  standing: null,
  funded: 'InProgress',
  paid: 'Completed',
  returned: 'Rejected',
  broken: 'Cancelled',
  refused: 'Rejected',
  unwithdrawn: 'Cancelled',
}

/** The state after a word of the bank: a signature has the deal stand, an order that is gone breaks it. */
export function exchangeAfter(state: ExchangeState, { status, signed }: BankWord): ExchangeState {
  const next = status === 'Cancelled' ? 'broken' : status === 'Rejected' ? 'refused' : signed ? 'standing' : state
  return exchangeMayBecome[state].includes(next) ? next : state
}

/** The status that partners see: settled funding is no end, and what was undone stays so. */
export function statusThrough(state: ExchangeState, { status, statusReason }: Standing): Standing {
  const shown = shownInstead[state] ?? (status === 'Completed' ? 'InProgress' : status)
  return shown === status ? { status, statusReason } : { status: shown, statusReason: null }
}

/** Whether it goes on whatever becomes of the signature that it was made to stand by. */
export function standsFirm(state: ExchangeState): boolean {
  return dealFollows[state] === 'stand' || state === 'funded' || state === 'paid' || state === 'returned'
}

/** Whether partners may take the end of an exchange for one: money may still come for an order that the bank keeps. */
export function mayStillMove(state: ExchangeState | null): boolean {
  return state === 'unwithdrawn'
}
