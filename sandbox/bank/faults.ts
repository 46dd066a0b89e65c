/** Holds injected faults: lost or slow responses, errors and outages; each until it is used up or cleared. */

import { type Static, Type } from 'typebox'
import { closed } from '../../gateway/platform/closed-schema.ts'
import { Milliseconds } from '../control-scope.ts'
import { type FaultList, type FaultStore, openFaultList } from '../fault-list.ts'
import { MALFORMED_MODES } from './xs2a/malform-answer.ts'

/** The effects on a response; all others prevent or delay the work. */
const EFFECTS_ON_RESPONSE = [
  'withhold-answer',
  'drop-connection',
  'cut-answer',
  'malform',
  'replace',
  'byte-order-mark',
] as const
const FAULT_EFFECTS = [...EFFECTS_ON_RESPONSE, 'drop-request', 'status', 'slow', 'down'] as const
export type FaultEffect = (typeof FAULT_EFFECTS)[number]

/** One fault: the bank and the operations that it affects (`*` is every one), its effect and its count. */
export const Fault = closed({
  bank: Type.String(),
  operation: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
  effect: Type.Enum([...FAULT_EFFECTS]),
  /** The remaining number of times; absent: until cleared. */
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Delay of `slow`. */
  milliseconds: Type.Optional(Milliseconds),
  /** Status code of `status`, and its error code where that is not the default; null for an answer that names none. */
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
  code: Type.Optional(Type.Union([Type.String({ pattern: '^[A-Z_]{1,50}$' }), Type.Null()])),
  /** Its body as it stands, in place of an error of the standard, and the media type of that. */
  body: Type.Optional(Type.String({ maxLength: 10_000 })),
  contentType: Type.Optional(Type.String({ pattern: '^[ -~]{1,100}$' })),
  /** Its `Retry-After`, as it stands in the header: seconds, an HTTP date, or nonsense. */
  retryAfter: Type.Optional(Type.String({ pattern: '^[ -~]{0,100}$' })),
  /** The id of the payment, consent, account or basket that it affects; every one when absent. */
  resource: Type.Optional(Type.String({ minLength: 1 })),
  /** How `malform` changes fields, and which; without names, all that no third party can rely on. */
  mode: Type.Optional(Type.Enum([...MALFORMED_MODES])),
  fields: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  /** What `replace` puts into the top-level fields that are named in `fields`. */
  value: Type.Optional(Type.String({ maxLength: 1_000 })),
  /** The page of a list that it affects; every page when absent. */
  page: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type Fault = Readonly<Static<typeof Fault>>

/** A call, by what selects its faults. */
export type FaultableCall = {
  readonly bank: string
  readonly operation: string
  readonly page: number
  /** The ids in its path. */
  readonly resources: readonly (string | undefined)[]
}

export type Faults = FaultList<Fault> & {
  /** The fault that applies to a call before any work, if any; decrements its count. */
  takeBefore(call: FaultableCall): Fault | undefined
  /** The fault that applies to the response of a call that succeeded, if any; decrements its count. */
  takeOnResponse(call: FaultableCall): Fault | undefined
}

export function openFaults(store?: FaultStore<Fault>): Faults {
  const { takeFirst, ...list } = openFaultList(store)
  return {
    ...list,
    takeBefore: (call) => takeFirst((fault) => !isOnResponse(fault) && strikes(fault, call)),
    takeOnResponse: (call) => takeFirst((fault) => isOnResponse(fault) && strikes(fault, call)),
  }
}

/** Whether a fault lets the work be done. */
function isOnResponse({ effect }: Pick<Fault, 'effect'>): boolean {
  return EFFECTS_ON_RESPONSE.some((one) => one === effect)
}

function strikes(fault: Fault, { bank, operation, page, resources }: FaultableCall): boolean {
  const affected = [fault.operation].flat()
  const isOfCall = fault.bank === bank && (affected.includes('*') || affected.includes(operation))
  const isOfResource = fault.resource === undefined || resources.includes(fault.resource)
  return isOfCall && isOfResource && (fault.page === undefined || fault.page === page)
}
