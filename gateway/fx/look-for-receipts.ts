/** Looks at a provider for money that has arrived: regularly, when a deal waits for its funds, and when the provider says so. */

import { tellUnread } from './funding/raise-unreadable-funds-task.ts'
import type { FxContext } from './fx-context.ts'
import type { FxProvider } from './provider/fx-provider.ts'
import { attempt } from './provider-of.ts'
import {
  claimFreshLook,
  claimLook,
  ensureProvider,
  findNextLook,
  findTakenTo,
  postponeLook,
  writeLooked,
} from './providers/provider-store.ts'
import { takeReceipt } from './take-receipt.ts'

/** Providers tell of what arrives; this is for what was not heard, and for money that nobody expects. */
const LOOK_EVERY = { seconds: 60 }
/** Providers show a receipt some time after the time that it bears. */
const SHOWN_LATE = { minutes: 15 }
/** At the very first look, what arrived in the days before may be for us. */
const AT_FIRST = { hours: 24 * 7 }
/** A look lasts as long as its pages; after this it counts as dead. */
const LEASE = { minutes: 5 }

/** Looks when the time for it has come, in wall time, unless another process does; says whether it did. */
export async function lookWhenDue(context: FxContext, provider: FxProvider): Promise<boolean> {
  const { database, clock } = context
  const real = clock.real()
  await ensureProvider(database, provider.name, real)
  const isMine = await claimLook(database, provider.name, { real, leaseUntil: real.add(LEASE) })
  const looked = isMine ? await attempt(() => lookForReceipts(context, provider)) : null
  if (looked !== null && 'refusal' in looked) {
    context.log.warn({ refusal: looked.refusal.kind }, 'a provider does not say what has arrived')
    await postponeLook(database, provider.name, clock.real().add(LOOK_EVERY))
  }
  return isMine
}

/** Looks unless somebody does, or did so just now: whatever a deal waits for is found for all of them at once. */
export async function lookUnlessJustDone(context: FxContext, provider: FxProvider): Promise<void> {
  const { database, clock } = context
  const [real, now] = [clock.real(), clock.now()]
  await ensureProvider(database, provider.name, real)
  // One that ended after this clock was read is as good. In the sandbox the clock may have been set back since the last.
  const unless = { endedFrom: now.subtract(LOOK_EVERY), endedTo: now.add(LOOK_EVERY) }
  if (!(await claimFreshLook(database, provider.name, { real, leaseUntil: real.add(LEASE), ...unless }))) {
    return
  }
  try {
    await lookForReceipts(context, provider)
  } catch (error) {
    await postponeLook(database, provider.name, clock.real().add(LOOK_EVERY))
    throw error
  }
}

/** When that time comes. A provider that was never asked is asked now. */
export async function nextLookAt({ database, clock }: FxContext, provider: FxProvider): Promise<Temporal.Instant> {
  return (await findNextLook(database, provider.name)) ?? clock.real()
}

/** Takes everything that arrived since the last look; whatever it finds twice is taken once. */
async function lookForReceipts(context: FxContext, provider: FxProvider): Promise<void> {
  const { database, clock } = context
  const takenTo = await findTakenTo(database, provider.name)
  // In the sandbox the clock may have been set back, and the provider's with it.
  const since = earlier(takenTo ?? clock.now().subtract(AT_FIRST), clock.now()).subtract(SHOWN_LATE)
  let latest = since.add(SHOWN_LATE)
  for await (const arrived of provider.receipts(since)) {
    for (const receipt of arrived) {
      if ('refusal' in receipt) {
        await tellUnread(context, provider.name, receipt)
      } else {
        await takeReceipt(context, provider.name, receipt)
        latest = later(latest, receipt.receivedAt)
      }
    }
  }
  const lookAt = clock.real().add(LOOK_EVERY)
  await writeLooked(database, provider.name, { takenTo: latest, lookAt, now: clock.now() })
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? one : other
}

function later(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return earlier(one, other) === one ? other : one
}
