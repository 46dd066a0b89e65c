/** Polls a provider for inbound funds: at an interval, when a deal waits for its funds, and after a notification. */

import type { Context } from '../../context.ts'
import { earlierOf, laterOf } from '../../platform/clock.ts'
import { listRetryTimes } from '../../platform/jobs/failed-row-store.ts'
import { leaseFor } from '../../platform/jobs/lease.ts'
import { attemptOf, processRow } from '../../platform/jobs/process-row.ts'
import { fundsOverdueAt, nextFundingPollAt } from '../deals/funding-poll-schedule.ts'
import { raiseDealTask, retryDealLater } from '../deals/raise-deal-task.ts'
import type { FxProvider, ProviderInboundFunds } from '../providers/fx-provider.ts'
import { providerOf, tryProviderCall } from '../providers/provider-retry.ts'
import {
  claimInboundFundsPoll,
  endInboundFundsPoll,
  ensureProvider,
  findInboundFundsPolledTo,
} from '../providers/provider-store.ts'
import type { Deal } from '../store/deal.ts'
import { findDealById } from '../store/deal-store.ts'
import { postponeDeal } from '../store/deal-transition-store.ts'
import { NO_PARTNER_ID } from '../store/inbound-funds.ts'
import { raiseUnreadableFundsTask, readUnreadableFundsAgain, recordInboundFunds } from './record-inbound-funds.ts'

export const INBOUND_FUNDS_POLL = 'inbound funds at the provider'

/** Providers notify of inbound funds; polling finds what a lost notification missed, and funds without a deal. */
const POLL_INTERVAL = { seconds: 60 }
/** Providers list a receipt some time after its own timestamp. */
const LISTING_DELAY = { minutes: 15 }
/** How far back the first poll of a provider goes. */
const FIRST_POLL_PERIOD = { hours: 24 * 7 }
/** A poll reads several pages; after this time its process counts as dead. */
const LEASE = { minutes: 5 }

/** Polls if a poll is due, in wall time, and no other process does; returns whether it did. */
export async function pollInboundFundsWhenDue(context: Context, provider: FxProvider): Promise<boolean> {
  const { database, clock } = context
  await ensureProvider(database, provider.name, clock.real())
  const isClaimed = await claimInboundFundsPoll(database, provider.name, leaseFor(context, LEASE))
  if (isClaimed) {
    const postpone = (delay: Temporal.DurationLike) =>
      endInboundFundsPoll(database, provider.name, clock.real().add(delay))
    const row = await attemptOf(context, { sweep: INBOUND_FUNDS_POLL, partnerId: NO_PARTNER_ID, rowId: provider.name })
    await processRow(context, row, () => pollOrPostpone(context, provider, postpone), postpone)
  }
  return isClaimed
}

/** A provider that is not available is polled again at the usual interval. */
async function pollOrPostpone(
  context: Context,
  provider: FxProvider,
  postpone: (delay: Temporal.DurationLike) => Promise<void>,
): Promise<void> {
  const polled = await tryProviderCall(() => pollInboundFunds(context, provider))
  if (polled !== null && 'error' in polled) {
    context.log.warn({ errorKind: polled.error.kind }, 'polling the provider for inbound funds failed')
    await postpone(POLL_INTERVAL)
  }
}

/** Polls unless a poll is in flight or just ended: one poll finds the funds of all waiting deals. */
export async function pollInboundFundsUnlessRecent(context: Context, provider: FxProvider): Promise<void> {
  const { database, clock } = context
  const now = clock.now()
  await ensureProvider(database, provider.name, clock.real())
  // A poll that ended after `now` was read counts too. In the sandbox the clock may have been set back since then.
  const recent = { from: now.subtract(POLL_INTERVAL), to: now.add(POLL_INTERVAL) }
  if (!(await claimInboundFundsPoll(database, provider.name, leaseFor(context, LEASE), recent))) {
    return
  }
  try {
    await pollInboundFunds(context, provider)
  } catch (error) {
    await endInboundFundsPoll(database, provider.name, clock.real().add(POLL_INTERVAL))
    throw error
  }
}

/**
 * Records everything that arrived since the last poll; recording the same receipt again has no effect. Receipts that
 * cannot be recorded stop no others, and the next polls begin with them.
 */
async function pollInboundFunds(context: Context, provider: FxProvider): Promise<void> {
  const { database, clock } = context
  const takenTo = await findInboundFundsPolledTo(database, provider.name)
  // In the sandbox the clock may have been set back, and the provider's with it.
  const since = earlierOf(takenTo ?? clock.now().subtract(FIRST_POLL_PERIOD), clock.now()).subtract(LISTING_DELAY)
  let latest = since.add(LISTING_DELAY)
  let unrecordedSince: Temporal.Instant | null = null
  for await (const arrived of provider.inboundFunds(since)) {
    for (const receipt of arrived) {
      if ('error' in receipt) {
        await raiseUnreadableFundsTask(context, provider.name, receipt)
      } else if (await recordUnlessPutBack(context, provider.name, receipt)) {
        latest = laterOf(latest, receipt.receivedAt)
      } else {
        unrecordedSince = earlierOf(unrecordedSince ?? receipt.receivedAt, receipt.receivedAt)
      }
    }
  }
  for (const receipt of await readUnreadableFundsAgain(context, provider)) {
    await recordUnlessPutBack(context, provider.name, receipt)
  }
  const polled = { to: earlierOf(latest, unrecordedSince ?? latest), at: clock.now() }
  await endInboundFundsPoll(database, provider.name, clock.real().add(POLL_INTERVAL), polled)
}

/** Whether the receipt is recorded. One that failed before is tried again when it is due. */
async function recordUnlessPutBack(
  context: Context,
  provider: string,
  receipt: ProviderInboundFunds,
): Promise<boolean> {
  const row = { sweep: INBOUND_FUNDS_POLL, partnerId: NO_PARTNER_ID, rowId: `${provider} ${receipt.id}` }
  const retryAt = (await listRetryTimes(context.database, row, [row.rowId])).get(row.rowId)
  if (retryAt !== undefined && Temporal.Instant.compare(retryAt, context.clock.real()) > 0) {
    return false
  }
  return await processRow(
    context,
    { ...row, hasFailed: retryAt !== undefined },
    () => recordInboundFunds(context, provider, receipt),
    async () => undefined,
  )
}

/** Funds that a poll finds change the deal at once; this only reschedules a deal that still waits. */
export async function pollFunding(context: Context, deal: Deal): Promise<void> {
  const { clock, database } = context
  const polled = await tryProviderCall(() => pollInboundFundsUnlessRecent(context, providerOf(context, deal)))
  if ('error' in polled) {
    await retryDealLater(context, deal, polled.error, { task: null })
    return
  }
  const now = clock.now()
  const isOverdue = Temporal.Instant.compare(now, fundsOverdueAt(deal)) >= 0
  if (isOverdue && (await findDealById(database, deal))?.state === 'confirmed') {
    await raiseDealTask(context, deal, 'FundingMissing', { fundingDate: deal.fundingDate.toString() })
  }
  await postponeDeal(database, deal, { attempts: 0, failingSince: null, dueAt: nextFundingPollAt(deal, now) })
}
