/** The faults that can be injected, each until it is used up or cleared. */

import { type Static, Type } from 'typebox'
import { closed } from '../../gateway/platform/closed-schema.ts'
import { Milliseconds, Seconds } from '../control-scope.ts'
import { type FaultList, type FaultStore, openFaultList } from '../fault-list.ts'

const CALL_FAULTS = [
  /** The port is closed until the fault is cleared: no connection succeeds. */
  'down',
  /** The connection breaks before the call is processed. */
  'drop-request',
  /** 503; the call is not processed. */
  'unavailable',
  /** 500; the call is not processed. */
  'server-error',
  /** 429; the call is not processed. */
  'too-many-requests',
  /** All sessions are deleted: 401. */
  'session-lost',
  /** The call is processed, and the response is delayed. */
  'slow',
  /** The call is processed, and the response is lost. */
  'lose-answer',
  /** The call is processed, and half of the response arrives. */
  'cut-answer',
] as const

/** Faults of the business processes. */
const BUSINESS_FAULTS = [
  /** The next quote expires after `seconds`, whatever expiry it states. */
  'quote-expires-early',
  /** No rate is available. */
  'no-rate',
  /** The market is closed, as at a weekend. */
  'closed',
  'refuse-booking',
  'refuse-cancelling',
  'refuse-beneficiary',
  'refuse-payment',
  /** Inbound funds arrive `seconds` later. */
  'funding-late',
  /** Inbound funds arrive with `amount` deducted. */
  'funding-short',
  'funding-double',
  'funding-without-reference',
  'funding-lost',
  /** The next payment is suspended before it is sent, fails when it is sent, or is returned after it has arrived. */
  'payment-suspended',
  'payment-failed',
  'payment-returned',
  /** Notifications are not sent, or are signed with a wrong key. */
  'notice-lost',
  'notice-forged',
] as const
type BusinessFault = (typeof BUSINESS_FAULTS)[number]

export const Fault = closed({
  effect: Type.Enum([...CALL_FAULTS, ...BUSINESS_FAULTS]),
  /** Which calls it affects, e.g. `POST /conversions/create`; all when absent. Of call faults only. */
  operation: Type.Optional(Type.String({ maxLength: 100 })),
  /** How many more times it applies; until cleared when absent. */
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  milliseconds: Type.Optional(Milliseconds),
  seconds: Type.Optional(Seconds),
  /** A decimal, e.g. `12.50`. */
  amount: Type.Optional(Type.String({ pattern: '^[0-9]{1,12}(\\.[0-9]{1,4})?$' })),
})
export type Fault = Readonly<Static<typeof Fault>>

export type Faults = FaultList<Fault> & {
  /** The fault that applies to a call, if any; decrements its count. */
  consumeCallFault(operation: string): Fault | undefined
  /** The business fault that applies, if any; decrements its count. */
  take(effect: BusinessFault): Fault | undefined
}

export function openFaults(store?: FaultStore<Fault>): Faults {
  const { takeFirst, ...list } = openFaultList(store)
  return {
    ...list,
    consumeCallFault: (operation) =>
      takeFirst(
        ({ effect, operation: affected = operation }) =>
          CALL_FAULTS.some((one) => one === effect) && affected === operation,
      ),
    take: (effect) => takeFirst((fault) => fault.effect === effect),
  }
}
