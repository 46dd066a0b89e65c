/** The faults that can be injected, each until it is used up or cleared. */

import { type Static, Type } from 'typebox'
import { closed } from '../../gateway/platform/closed-schema.ts'
import { Milliseconds } from '../control-scope.ts'
import { type FaultList, type FaultStore, openFaultList } from '../fault-list.ts'

const FAULT_EFFECTS = [
  /** The port is closed until the fault is cleared: no connection succeeds. */
  'down',
  /** Requests return 503. */
  'unavailable',
  /** Every response is delayed. */
  'slow',
  /** The metadata directs browsers to another host. */
  'elsewhere',
  'wrong-nonce',
  'wrong-audience',
  'wrong-issuer',
  'expired-token',
  'old-token',
  /** The user was logged in already, and was not asked again. */
  'earlier-login',
  'unsigned',
  /** The ID token is signed with the client's secret (HS256). */
  'signed-with-secret',
  /** The ID token is signed with a key that is not the provider's. */
  'strange-key',
  'altered-token',
  'without-birth-date',
] as const
export type FaultEffect = (typeof FAULT_EFFECTS)[number]

export const Fault = closed({
  effect: Type.Enum([...FAULT_EFFECTS]),
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  milliseconds: Type.Optional(Milliseconds),
})
export type Fault = Readonly<Static<typeof Fault>>
export type Faults = FaultList<Fault> & {
  /** The fault with this effect, if any; decrements its count. */
  strikes(effect: FaultEffect): Fault | undefined
}

export function openFaults(store?: FaultStore<Fault>): Faults {
  const { takeFirst, ...list } = openFaultList(store)
  return { ...list, strikes: (effect) => takeFirst((fault) => fault.effect === effect) }
}
