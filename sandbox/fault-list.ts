/** Holds the simulated faults of a program of the sandbox, each until it is used up or cleared. */

import type { Database } from '../gateway/platform/database/database.ts'
import { openSerialQueue } from './due-scan-loop.ts'

/** How often a fault still occurs; until cleared when absent. */
type Counted = { readonly times?: number | undefined }

export type FaultList<Fault> = {
  /** Reads those of the last run. */
  load(): Promise<void>
  /** Like all that changes them, resolves once they are stored. */
  add(fault: Fault): Promise<void>
  list(): readonly Fault[]
  /** Ends what they delay, too. */
  clear(): Promise<void>
  /** Ends the faults that match, and every delay: a call that is still to be slow is slow the next time. */
  remove(matches: (fault: Fault) => boolean): Promise<void>
  /** Resolves when nothing is left to be stored. */
  idle(): Promise<void>
  /** Aborts when the current faults are cleared. */
  untilCleared(): AbortSignal
}

/** The list, and what picks from it. */
type OpenedFaultList<Fault> = FaultList<Fault> & {
  /** The first matching fault, if any; finding it uses it up by one. */
  takeFirst(strikes: (fault: Fault) => boolean): Fault | undefined
}

/** Empty at first. Without a store, faults end with the program. */
export function openFaultList<Fault extends Counted>(store?: FaultStore<Fault>): OpenedFaultList<Fault> {
  let faults: readonly Fault[] = []
  let clearing = new AbortController()
  const saves = openSerialQueue()
  const save = () => saves.runExclusive(async () => await store?.save(faults))
  const remove = async (matches: (fault: Fault) => boolean) => {
    faults = faults.filter((fault) => !matches(fault))
    clearing.abort()
    clearing = new AbortController()
    await save()
  }
  return {
    load: async () => {
      faults = (await store?.load()) ?? []
    },
    idle: saves.idle,
    add: async (fault) => {
      faults = [...faults, fault]
      await save()
    },
    list: () => faults,
    clear: () => remove(() => true),
    remove,
    untilCleared: () => clearing.signal,
    takeFirst: (strikes) => {
      const struck = faults.find(strikes)
      if (struck?.times !== undefined) {
        faults = faults.flatMap((fault) => (fault === struck ? usedOnce(fault) : [fault]))
        // The call does not wait for it, and what cannot be stored now is stored with the next change.
        save().catch(() => undefined)
      }
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

export type FaultStore<Fault> = {
  load(): Promise<readonly Fault[]>
  save(faults: readonly Fault[]): Promise<void>
}

/** In the table `faults` of the program. */
export function storeFaultsIn<Fault>({ pool }: Pick<Database<unknown>, 'pool'>): FaultStore<Fault> {
  return {
    load: async () => {
      const { rows } = await pool.query<{ list: readonly Fault[] }>('select list from faults')
      return rows[0]?.list ?? []
    },
    save: async (faults) => void (await pool.query('update faults set list = $1', [JSON.stringify(faults)])),
  }
}
