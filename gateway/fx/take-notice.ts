/** Takes a provider's word that something changed: what it is about is read there, and nothing in it is believed. */
import { isId } from '../platform/ids.ts'
import { hastenNoticed } from './deals/deal-transition-store.ts'
import { hastenNoticedReceipt } from './funding/inbound-funds-store.ts'
import type { FxContext } from './fx-context.ts'
import { attempt } from './provider-of.ts'
import type { ArrivedNotice } from './providers/provider-notification.ts'
import { takeReceipt } from './take-receipt.ts'

/** False for one that is not the provider's, or about nothing of ours. What it leads to is done by the sweeps. */
export async function takeNotice(context: FxContext, arrived: ArrivedNotice): Promise<boolean> {
  const { fx, database, clock } = context
  const notice = fx?.readNotice(arrived) ?? null
  if (fx === null || notice === null) {
    return false
  }
  const now = clock.now()
  if (notice.about === 'receipt') {
    const read = await attempt(() => fx.readReceipt(notice.id))
    if ('refusal' in read) {
      // It is found by the next look at what has arrived.
      return read.refusal.kind !== 'unknown-resource'
    }
    await takeReceipt(context, fx.name, read.done)
  } else if (notice.requestId !== null && isId(notice.requestId)) {
    await hastenNoticed(database, notice.requestId, now)
    await hastenNoticedReceipt(database, notice.requestId, now)
  }
  return true
}
