/** Limits how often open pages of a subject that changes all the time are rendered again. */
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import type { VersionReader } from './live-versions.ts'

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
