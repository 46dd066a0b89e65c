/** Defines the exchange of a payment: its states, their transitions and the payment status that partners see. */
import type { PaymentStatusReason, PaymentStatusValue } from '../../contract/payments/payment-status.ts'

/** An owned lifecycle, stored in the payment's row; the deal at the FX provider follows it and never precedes it. */
export type ExchangeState =
  /** The FX provider is booking; the order is not submitted to the bank yet. */
  | 'booking'
  /** Booked; the order is submitted to the bank, and the deadline for its signature runs. */
  | 'unsigned'
  /** Signed: the deal is confirmed. */
  | 'confirmed'
  /** The FX provider has received the money. */
  | 'funded'
  /** The creditor has been paid. */
  | 'paid'
  /** The payout was returned. */
  | 'returned'
  /** Cancelled: not signed in time, cancelled at the bank or never funded. */
  | 'cancelled'
  /** Cancelled because the bank rejected the order. */
  | 'rejected'
  /** Cancelled although the bank still holds the order and does not allow its cancellation. */
  | 'uncancellable'

/** Which states may follow which. */
export const exchangeTransitions: Readonly<Record<ExchangeState, readonly ExchangeState[]>> = {
  booking: ['unsigned', 'cancelled'],
  unsigned: ['confirmed', 'cancelled', 'rejected', 'uncancellable', 'funded', 'paid', 'returned'],
  confirmed: ['funded', 'cancelled', 'rejected', 'paid', 'returned'],
  funded: ['paid', 'returned'],
  paid: ['returned'],
  returned: ['paid'],
  // Money that arrives in full before the deal is cancelled proves a signature, whatever the decision was.
  cancelled: ['funded', 'paid', 'returned'],
  // An operator recorded that the bank never accepted the order, but it has.
  rejected: ['uncancellable', 'funded', 'paid', 'returned'],
  uncancellable: ['cancelled', 'funded', 'paid', 'returned'],
}

/** A status as partners see it. */
type ReportedStatus = { readonly status: PaymentStatusValue; readonly statusReason: PaymentStatusReason | null }

/** A status reported by the bank; `signed` once every signature that the bank requires was given. */
export type BankStatusReport = Pick<ReportedStatus, 'status'> & { readonly signed: boolean }

/** Whether the deal is confirmed or cancelled in each state; null while neither is due. */
export const dealActionByExchangeState: Readonly<Record<ExchangeState, 'confirm' | 'cancel' | null>> = {
  booking: null,
  unsigned: null,
  confirmed: 'confirm',
  funded: null,
  paid: null,
  returned: null,
  cancelled: 'cancel',
  rejected: 'cancel',
  uncancellable: 'cancel',
}

/** The status that partners see instead of the bank's; null where the bank's status applies. */
const statusByExchangeState: Readonly<Record<ExchangeState, PaymentStatusValue | null>> = {
  booking: null,
  unsigned: null,
  confirmed: null,
  funded: 'InProgress',
  paid: 'Completed',
  returned: 'Rejected',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  uncancellable: 'Cancelled',
}

/** Returns the state after a status of the bank: a signature confirms the deal, the end of the order cancels it, or ends a cancellation. */
export function nextExchangeState(state: ExchangeState, { status, signed }: BankStatusReport): ExchangeState {
  const end = status === 'Cancelled' || state === 'uncancellable' ? 'cancelled' : 'rejected'
  const next = status === 'Cancelled' || status === 'Rejected' ? end : signed ? 'confirmed' : state
  return exchangeTransitions[state].includes(next) ? next : state
}

/** Returns the status that partners see: settled funding is not final, and a cancelled exchange stays cancelled. */
export function statusWithExchange(state: ExchangeState, { status, statusReason }: ReportedStatus): ReportedStatus {
  const shown = statusByExchangeState[state] ?? (status === 'Completed' ? 'InProgress' : status)
  return shown === status ? { status, statusReason } : { status: shown, statusReason: null }
}

/** Whether the exchange goes ahead, whatever happens to the funding order. */
export function isExchangeConfirmed(state: ExchangeState): boolean {
  return (
    dealActionByExchangeState[state] === 'confirm' || state === 'funded' || state === 'paid' || state === 'returned'
  )
}

/** Whether the status may still change: money may arrive for an order that the bank still holds. */
export function mayStillChange(state: ExchangeState | null): boolean {
  return state === 'uncancellable'
}
