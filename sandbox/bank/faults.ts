/** Holds injected faults: lost or slow responses, errors and outages; each until it is used up or cleared. */
import { type FaultList, openFaultList } from '../fault-list.ts'

export const FAULT_EFFECTS = ['withhold-answer', 'drop-connection', 'cut-answer', 'status', 'slow', 'down'] as const
export type FaultEffect = (typeof FAULT_EFFECTS)[number]

/** One fault: the bank and operation that it affects (`*` is every one), its effect and its count. */
export type Fault = {
  readonly bank: string
  readonly operation: string
  readonly effect: FaultEffect
  /** The remaining number of times; absent: until cleared. */
  readonly times?: number
  /** Delay of `slow`. */
  readonly milliseconds?: number
  /** Status code of `status`, and its error code where that is not the default. */
  readonly status?: number
  readonly code?: string
  /** The page of a list that it affects; every page when absent. */
  readonly page?: number
}

export type Faults = FaultList<Fault> & {
  /** The fault that applies to this call, if any; decrements its count. */
  take(bank: string, operation: string, page: number): Fault | undefined
}

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
