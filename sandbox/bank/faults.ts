/** Holds the faults that tests ask for: lost answers, slow answers, outages. They live until used up or cleared. */
import { type FaultList, openFaultList } from '../fault-list.ts'

export const FAULT_EFFECTS = ['withhold-answer', 'drop-connection', 'cut-answer', 'status', 'slow', 'down'] as const
export type FaultEffect = (typeof FAULT_EFFECTS)[number]

/** One fault: which bank and operation it strikes (`*` is every one), how, and how often. */
export type Fault = {
  readonly bank: string
  readonly operation: string
  readonly effect: FaultEffect
  /** How often it still strikes; absent until cleared. */
  readonly times?: number
  /** Delay of `slow`. */
  readonly milliseconds?: number
  /** Answer of `status`, and its code where that is not the usual one. */
  readonly status?: number
  readonly code?: string
  /** Which page of a list it strikes; every one unless told. */
  readonly page?: number
}

export type Faults = FaultList<Fault> & {
  /** The fault that strikes this call, if any; taking it uses it up by one. */
  take(bank: string, operation: string, page: number): Fault | undefined
}

/** Makes an empty set of faults. */
export function openFaults(): Faults {
  const { takeFirst, ...list } = openFaultList<Fault>()
  return {
    ...list,
    take: (bank, operation, page) => takeFirst((fault) => strikes(fault, bank, operation, page)),
  }
}

function strikes(fault: Fault, bank: string, operation: string, page: number): boolean {
  const isOfCall = fault.bank === bank && (fault.operation === '*' || fault.operation === operation)
  return isOfCall && (fault.page === undefined || fault.page === page)
}
