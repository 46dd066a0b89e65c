/** Stores the simulated faults of a program of the sandbox, each until it is used up or cleared. */

/** How often a fault still occurs; until cleared when absent. */
type Counted = { readonly times?: number | undefined }

export type FaultList<Fault> = {
  add(fault: Fault): void
  list(): readonly Fault[]
  /** Ends what they delay, too. */
  clear(): void
  /** Ends the faults that match, and every delay: a call that is still to be slow is slow the next time. */
  remove(matches: (fault: Fault) => boolean): void
  /** Aborts when the current faults are cleared. */
  untilCleared(): AbortSignal
}

/** The list, and what picks from it. */
type OpenedFaultList<Fault> = FaultList<Fault> & {
  /** The first matching fault, if any; finding it uses it up by one. */
  takeFirst(strikes: (fault: Fault) => boolean): Fault | undefined
}

/** Empty at first. Faults are not stored across restarts: each belongs to the test that created it. */
export function openFaultList<Fault extends Counted>(): OpenedFaultList<Fault> {
  let faults: readonly Fault[] = []
  let clearing = new AbortController()
  const remove = (matches: (fault: Fault) => boolean) => {
    faults = faults.filter((fault) => !matches(fault))
    clearing.abort()
    clearing = new AbortController()
  }
  return {
    add: (fault) => {
      faults = [...faults, fault]
    },
    list: () => faults,
    clear: () => remove(() => true),
    remove,
    untilCleared: () => clearing.signal,
    takeFirst: (strikes) => {
      const struck = faults.find(strikes)
      faults = faults.flatMap((fault) => (fault === struck ? usedOnce(fault) : [fault]))
      return struck
    },
  }
}

function usedOnce<Fault extends Counted>(fault: Fault): readonly Fault[] {
  if (fault.times === undefined) {
    return [fault]
  }
  return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []
}
