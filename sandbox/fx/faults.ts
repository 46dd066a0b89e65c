/** The faults that a test may have the provider commit, each so many times; they do not outlive the program. */
import { type FaultList, openFaultList } from '../fault-list.ts'

/** What goes wrong with calls, whatever they ask for. */
export const CALL_FAULTS = [
  /** The connection breaks before anything is done. */
  'down',
  /** 503, and nothing is done. */
  'unavailable',
  /** 500, and nothing is done. */
  'server-error',
  /** 429, and nothing is done. */
  'too-many-requests',
  /** Every session is forgotten: 401. */
  'session-lost',
  /** Done, but late. */
  'slow',
  /** Done, and the answer is lost. */
  'lose-answer',
  /** Done, and half of the answer arrives. */
  'cut-answer',
] as const
export type CallFault = (typeof CALL_FAULTS)[number]

/** What goes wrong with the business itself. */
export const BUSINESS_FAULTS = [
  /** The next quote is held for `seconds` only, whatever it says. */
  'quote-expires-early',
  /** No rate can be had. */
  'no-rate',
  /** Nobody deals: as at a weekend. */
  'closed',
  'refuse-booking',
  'refuse-cancelling',
  'refuse-beneficiary',
  'refuse-payment',
  /** Money on its way takes `seconds` more. */
  'funding-late',
  /** Money arrives without `amount` of it. */
  'funding-short',
  'funding-double',
  'funding-without-reference',
  'funding-lost',
  /** The next payment is stopped before it leaves, fails when it is sent, or comes back once it has arrived. */
  'payment-suspended',
  'payment-failed',
  'payment-returned',
  /** Notifications are not sent, or signed with another key. */
  'notice-lost',
  'notice-forged',
] as const
export type BusinessFault = (typeof BUSINESS_FAULTS)[number]

export type FaultEffect = CallFault | BusinessFault

export type Fault = {
  readonly effect: FaultEffect
  /** Which calls it strikes, e.g. `POST /conversions/create`; all when absent. Of call faults only. */
  readonly operation?: string | undefined
  /** How often it still strikes; until cleared when absent. */
  readonly times?: number | undefined
  readonly milliseconds?: number | undefined
  readonly seconds?: number | undefined
  /** A decimal, e.g. `12.50`. */
  readonly amount?: string | undefined
}

export type Faults = FaultList<Fault> & {
  /** The fault that strikes a call, if any; taking it uses it up by one. */
  takeCall(operation: string): Fault | undefined
  /** Whether a business fault is due; taking it uses it up by one. */
  take(effect: BusinessFault): Fault | undefined
}

/** None at first. */
export function openFaults(): Faults {
  const { takeFirst, ...list } = openFaultList<Fault>()
  return {
    ...list,
    takeCall: (operation) =>
      takeFirst((fault) => isCallFault(fault.effect) && (fault.operation ?? operation) === operation),
    take: (effect) => takeFirst((fault) => fault.effect === effect),
  }
}

function isCallFault(effect: FaultEffect): effect is CallFault {
  return CALL_FAULTS.some((one) => one === effect)
}
