/** The faults that a test can inject, each a number of times. */
import { type FaultList, openFaultList } from '../fault-list.ts'

export const FAULT_EFFECTS = [
  /** Every request returns 503. */
  'down',
  /** Every response is delayed. */
  'slow',
  /** The metadata directs browsers to another host. */
  'elsewhere',
  'wrong-nonce',
  'wrong-audience',
  'wrong-issuer',
  'expired-token',
  'old-token',
  /** The ID token is unsigned. */
  'unsigned',
  /** The ID token is signed with the client's secret (HS256). */
  'signed-with-secret',
  /** The ID token is signed with a key that is not the provider's. */
  'strange-key',
  'altered-token',
  'without-birth-date',
] as const
export type FaultEffect = (typeof FAULT_EFFECTS)[number]

export type Fault = {
  readonly effect: FaultEffect
  readonly times?: number | undefined
  readonly milliseconds?: number | undefined
}

export type Faults = FaultList<Fault> & {
  /** The fault with this effect, if any; decrements its count. */
  strikes(effect: FaultEffect): Fault | undefined
}

export function openFaults(): Faults {
  const { takeFirst, ...list } = openFaultList<Fault>()
  return { ...list, strikes: (effect) => takeFirst((fault) => fault.effect === effect) }
}
