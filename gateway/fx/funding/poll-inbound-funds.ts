/** Polls a provider for inbound funds: at an interval, when a deal waits for its funds, and after a notification. */
import type { FxContext } from '../fx-context.ts'
import type { FxProvider } from '../providers/fx-provider.ts'
import { tryProviderCall } from '../providers/provider-retry.ts'
import {
  claimDueInboundFundsPoll,
  claimInboundFundsPollUnlessRecent,
  ensureProvider,
  findInboundFundsPolledTo,
  findNextInboundFundsPoll,
  postponeInboundFundsPoll,
  recordInboundFundsPoll,
} from '../providers/provider-store.ts'
import { raiseUnreadableFundsTask } from './raise-unreadable-funds-task.ts'
import { recordInboundFunds } from './record-inbound-funds.ts'

/** Providers notify of inbound funds; polling finds what a lost notification missed, and funds without a deal. */
const POLL_INTERVAL = { seconds: 60 }
/** Providers list a receipt some time after its own timestamp. */
const LISTING_DELAY = { minutes: 15 }
/** How far back the first poll of a provider goes. */
const FIRST_POLL_PERIOD = { hours: 24 * 7 }
/** A poll reads several pages; after this time its process counts as dead. */
const LEASE = { minutes: 5 }

/** Polls if a poll is due, in wall time, and no other process does; returns whether it did. */
export async function pollInboundFundsWhenDue(context: FxContext, provider: FxProvider): Promise<boolean> {
  const { database, clock } = context
  const real = clock.real()
  await ensureProvider(database, provider.name, real)
  const isClaimed = await claimDueInboundFundsPoll(database, provider.name, { real, leaseUntil: real.add(LEASE) })
  const polled = isClaimed ? await tryProviderCall(() => pollInboundFunds(context, provider)) : null
  if (polled !== null && 'error' in polled) {
    context.log.warn({ errorKind: polled.error.kind }, 'polling the provider for inbound funds failed')
    await postponeInboundFundsPoll(database, provider.name, clock.real().add(POLL_INTERVAL))
  }
  return isClaimed
}

/** Polls unless a poll is in flight or just ended: one poll finds the funds of all waiting deals. */
export async function pollInboundFundsUnlessRecent(context: FxContext, provider: FxProvider): Promise<void> {
  const { database, clock } = context
  const [real, now] = [clock.real(), clock.now()]
  await ensureProvider(database, provider.name, real)
  // A poll that ended after `now` was read counts too. In the sandbox the clock may have been set back since then.
  const unless = { endedFrom: now.subtract(POLL_INTERVAL), endedTo: now.add(POLL_INTERVAL) }
  if (
    !(await claimInboundFundsPollUnlessRecent(database, provider.name, {
      real,
      leaseUntil: real.add(LEASE),
      ...unless,
    }))
  ) {
    return
  }
  try {
    await pollInboundFunds(context, provider)
  } catch (error) {
    await postponeInboundFundsPoll(database, provider.name, clock.real().add(POLL_INTERVAL))
    throw error
  }
}

/** When the next poll is due; at once for a provider that was never polled. */
export async function nextInboundFundsPollAt(
  { database, clock }: FxContext,
  provider: FxProvider,
): Promise<Temporal.Instant> {
  return (await findNextInboundFundsPoll(database, provider.name)) ?? clock.real()
}

/** Records everything that arrived since the last poll; recording the same receipt again has no effect. */
async function pollInboundFunds(context: FxContext, provider: FxProvider): Promise<void> {
  const { database, clock } = context
  const takenTo = await findInboundFundsPolledTo(database, provider.name)
  // In the sandbox the clock may have been set back, and the provider's with it.
  const since = earlier(takenTo ?? clock.now().subtract(FIRST_POLL_PERIOD), clock.now()).subtract(LISTING_DELAY)
  let latest = since.add(LISTING_DELAY)
  for await (const arrived of provider.inboundFunds(since)) {
    for (const receipt of arrived) {
      if ('error' in receipt) {
        await raiseUnreadableFundsTask(context, provider.name, receipt)
      } else {
        await recordInboundFunds(context, provider.name, receipt)
        latest = later(latest, receipt.receivedAt)
      }
    }
  }
  const lookAt = clock.real().add(POLL_INTERVAL)
  await recordInboundFundsPoll(database, provider.name, { takenTo: latest, lookAt, now: clock.now() })
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? one : other
}

function later(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return earlier(one, other) === one ? other : one
}
