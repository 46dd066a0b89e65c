/** The faults that a test may have the provider commit, each so many times. */
import { type FaultList, openFaultList } from '../fault-list.ts'

/** What goes wrong. */
export const FAULT_EFFECTS = [
  /** Everything is answered with 503. */
  'down',
  /** Everything is answered late. */
  'slow',
  /** The description leads browsers to another host. */
  'elsewhere',
  'wrong-nonce',
  'wrong-audience',
  'wrong-issuer',
  'expired-token',
  'old-token',
  /** The ID token is not signed at all. */
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
  /** Whether an effect is due, and counts it. */
  strikes(effect: FaultEffect): Fault | undefined
}

/** None at first. */
export function openFaults(): Faults {
  const { takeFirst, ...list } = openFaultList<Fault>()
  return { ...list, strikes: (effect) => takeFirst((fault) => fault.effect === effect) }
}
