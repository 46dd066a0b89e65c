/** Notices when what open pages show has changed: one query for all subjects of a kind, however many browsers look; what changes all the time is rendered less often. */

import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'

/** The versions of subjects: texts that differ whenever something about the subject has changed. */
export type VersionReader = (subjects: readonly string[]) => Promise<ReadonlyMap<string, string>>

export type LiveVersions = {
  /** Calls `onChange` soon for the current version, and for each later one; returns how to stop. */
  watch(reader: VersionReader, subject: string, onChange: () => void): () => void
}

/** What a person takes for immediate, at one query per kind and interval. */
const POLL_MILLISECONDS = 2_000

type Watched = { version: string | undefined; readonly listeners: Set<() => void> }

/** Polls only while pages are open. */
export function openLiveVersions({ log }: { readonly log: Log }, pollMilliseconds = POLL_MILLISECONDS): LiveVersions {
  const watched = new Map<VersionReader, Map<string, Watched>>()
  let isPolling = false

  const poll = async () => {
    await Promise.all([...watched].map(([reader, subjects]) => notifyChanges(reader, subjects)))
    isPolling = watched.size > 0
    if (isPolling) {
      schedule()
    }
  }
  const schedule = () => {
    setTimeout(() => void poll(), pollMilliseconds).unref()
  }
  const notifyChanges = async (reader: VersionReader, subjects: ReadonlyMap<string, Watched>) => {
    try {
      for (const [subject, version] of await reader([...subjects.keys()])) {
        const entry = subjects.get(subject)
        if (entry !== undefined && entry.version !== version) {
          entry.version = version
          notify(entry.listeners)
        }
      }
    } catch (error) {
      log.warn({ error }, 'changes for open pages of the console could not be read')
    }
  }
  return {
    watch: (reader, subject, onChange) => {
      const subjects = watched.get(reader) ?? new Map<string, Watched>()
      const entry = subjects.get(subject) ?? { version: undefined, listeners: new Set() }
      // A new listener gets what has changed since its page was rendered; earlier ones of the subject are notified, too.
      entry.version = undefined
      entry.listeners.add(onChange)
      watched.set(reader, subjects.set(subject, entry))
      if (!isPolling) {
        isPolling = true
        schedule()
      }
      return () => {
        entry.listeners.delete(onChange)
        if (entry.listeners.size === 0 && subjects.get(subject) === entry) {
          subjects.delete(subject)
        }
        if (subjects.size === 0 && watched.get(reader) === subjects) {
          watched.delete(reader)
        }
      }
    },
  }
}

function notify(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) {
    listener()
  }
}

type Noticed = { readonly version: string; readonly at: number }

/** A change is noticed at once, and those that follow it after the interval. */
export function limitVersions(
  read: VersionReader,
  intervalMilliseconds: number,
  now: () => number = wallMilliseconds,
): VersionReader {
  let noticed: ReadonlyMap<string, Noticed> = new Map()
  return async (subjects) => {
    const at = now()
    const versions = await read(subjects)
    noticed = new Map(
      [...versions].map(([subject, version]) => {
        const before = noticed.get(subject)
        const isKept = before !== undefined && (before.version === version || at - before.at < intervalMilliseconds)
        // Without an earlier change, the next one need not wait.
        return [subject, isKept ? before : { version, at: before === undefined ? Number.NEGATIVE_INFINITY : at }]
      }),
    )
    return new Map([...noticed].map(([subject, { version }]) => [subject, version]))
  }
}
