/** Knows which partners operators have shut out, never more than five seconds late. */
import type { Context } from '../context.ts'
import { steadyMilliseconds } from '../platform/clock.ts'
import { listDisabledPartners } from './partner-store.ts'

/** Whether a partner is shut out; at once while that is known. */
export type IsDisabled = (partnerId: string) => boolean | Promise<boolean>

/** As for their requests, five seconds are the limit. */
const GOOD_FOR_MILLISECONDS = 4_000

/** Makes the reader of a process. */
export function openDisabledPartners({ database }: Pick<Context, 'database'>): IsDisabled {
  let latest: { readonly at: number; readonly ids: Ids | Promise<Ids> } | undefined
  const read = (at: number) => {
    const ids = listDisabledPartners(database)
    const reading = { at, ids }
    const replaceBy = (known: typeof latest) => {
      latest = latest === reading ? known : latest
    }
    ids.then(
      (known) => replaceBy({ at, ids: known }),
      () => replaceBy(undefined),
    )
    latest = reading
    return reading
  }
  return (partnerId) => {
    const now = steadyMilliseconds()
    const { ids } = latest !== undefined && now - latest.at < GOOD_FOR_MILLISECONDS ? latest : read(now)
    return ids instanceof Promise ? ids.then((known) => known.has(partnerId)) : ids.has(partnerId)
  }
}

type Ids = ReadonlySet<string>
