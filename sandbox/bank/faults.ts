/** Holds injected faults: lost or slow responses, errors and outages; each until it is used up or cleared. */
import { type FaultList, type FaultStore, openFaultList } from '../fault-list.ts'
import type { MalformedMode } from './xs2a/malform-answer.ts'

export const FAULT_EFFECTS = [
  'withhold-answer',
  'drop-connection',
  'cut-answer',
  'malform',
  'replace',
  'byte-order-mark',
  'drop-request',
  'status',
  'slow',
  'down',
] as const
export type FaultEffect = (typeof FAULT_EFFECTS)[number]

/** The effects on a response; all others prevent or delay the work. */
const EFFECTS_ON_RESPONSE: ReadonlySet<FaultEffect> = new Set([
  'withhold-answer',
  'drop-connection',
  'cut-answer',
  'malform',
  'replace',
  'byte-order-mark',
])

/** One fault: the bank and the operations that it affects (`*` is every one), its effect and its count. */
export type Fault = {
  readonly bank: string
  readonly operation: string | readonly string[]
  readonly effect: FaultEffect
  /** The remaining number of times; absent: until cleared. */
  readonly times?: number
  /** Delay of `slow`. */
  readonly milliseconds?: number
  /** Status code of `status`, and its error code where that is not the default; null for an answer that names none. */
  readonly status?: number
  readonly code?: string | null
  /** Its body as it stands, in place of an error of the standard, and the media type of that. */
  readonly body?: string
  readonly contentType?: string
  /** Its `Retry-After`, as it stands in the header: seconds, an HTTP date, or nonsense. */
  readonly retryAfter?: string
  /** The id of the payment, consent, account or basket that it affects; every one when absent. */
  readonly resource?: string
  /** How `malform` changes fields, and which; without names, all that no third party can rely on. */
  readonly mode?: MalformedMode
  readonly fields?: readonly string[]
  /** What `replace` puts into the top-level fields that are named in `fields`. */
  readonly value?: string
  /** The page of a list that it affects; every page when absent. */
  readonly page?: number
}

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
  return EFFECTS_ON_RESPONSE.has(effect)
}

function strikes(fault: Fault, { bank, operation, page, resources }: FaultableCall): boolean {
  const affected = [fault.operation].flat()
  const isOfCall = fault.bank === bank && (affected.includes('*') || affected.includes(operation))
  const isOfResource = fault.resource === undefined || resources.includes(fault.resource)
  return isOfCall && isOfResource && (fault.page === undefined || fault.page === page)
}
