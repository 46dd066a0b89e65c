/** Knows which partners operators have shut out, never more than five seconds late. */
import type { Context } from '../context.ts'
import { steadyMilliseconds } from '../foundation/clock.ts'
import { listDisabledPartners } from './partner-store.ts'

/** Whether a partner is shut out. */
export type IsDisabled = (partnerId: string) => Promise<boolean>

/** As for their requests, five seconds are the limit. */
const GOOD_FOR_MILLISECONDS = 4_000

/** Makes the reader of a process. */
export function openDisabledPartners({ database }: Pick<Context, 'database'>): IsDisabled {
  let reading: { readonly at: number; readonly ids: Promise<ReadonlySet<string>> } | undefined
  const read = () => {
    const begun = { at: steadyMilliseconds(), ids: listDisabledPartners(database) }
    reading = begun
    begun.ids.catch(() => {
      reading = reading === begun ? undefined : reading
    })
    return begun
  }
  return async (partnerId) => {
    const isGood = reading !== undefined && steadyMilliseconds() - reading.at < GOOD_FOR_MILLISECONDS
    return (await (isGood && reading !== undefined ? reading : read()).ids).has(partnerId)
  }
}
