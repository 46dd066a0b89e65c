/** Lets browsers that show the same part of a page at the same moment share its rendering. */
import { wallMilliseconds } from '../../gateway/platform/clock.ts'

/** Renders the part with this key, unless that has just begun. Of one key, all users must see the same. */
export type ShareRendering = (key: string, render: () => Promise<string>) => Promise<string>

/** Shorter than the interval of polls: what a poll notices is rendered after it. */
const SHARED_MILLISECONDS = 1_000

type Shared = { readonly begun: number; readonly markup: Promise<string> }

export function shareRendering(now: () => number = wallMilliseconds): ShareRendering {
  const shared = new Map<string, Shared>()
  return async (key, render) => {
    const begun = now()
    for (const [other, entry] of shared) {
      if (begun - entry.begun >= SHARED_MILLISECONDS) {
        shared.delete(other)
      }
    }
    const entry = shared.get(key) ?? { begun, markup: render() }
    shared.set(key, entry)
    return await entry.markup
  }
}
