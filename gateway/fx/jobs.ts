/** Takes deals and what arrived for them on their way: at the provider, and to the payments that they belong to. */
import type { DueRows, RowKey } from '../foundation/due-rows.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { awaitFunds } from './await-funds.ts'
import type { Deal, DealState } from './deals/deal.ts'
import { findDealById } from './deals/deal-store.ts'
import { writeTold } from './deals/deal-transition-store.ts'
import { resumeBooking } from './deals/resolve-booking.ts'
import { followPayout } from './follow-payout.ts'
import { settleReceipt } from './funding/allocate-inbound-funds.ts'
import { findReceipt } from './funding/inbound-funds-store.ts'
import type { FxContext } from './fx-context.ts'
import { lookWhenDue, nextLookAt } from './look-for-receipts.ts'
import { payOut } from './pay-out.ts'
import type { FxProvider } from './provider/fx-provider.ts'
import { nextLookStatement } from './providers/provider-store.ts'
import { pacedSweep } from './providers/rate-limited-sweep.ts'
import { releaseReceipt } from './release-receipt.ts'
import { sendBack } from './send-back.ts'
import { undoDeal } from './undo-deal.ts'

/** A deal has moved on; told at least once, and again until it is heard without a throw. */
export type OnDealChanged = (deal: Deal) => Promise<void>

/** A call to the provider, with a login before it and another one when the session was over, and our own statements. */
const LEASE_SECONDS = 120
/** Half of what the provider lets us ask in a minute: users who want a quote come first. */
const UNDOING = { everyMilliseconds: 240, atOnce: 50 }

const deals = { table: 'fx_deals', share: 'provider', time: 'business', leaseSeconds: LEASE_SECONDS } as const
const stepping: DueRows = { ...deals, name: 'deals', column: 'due_at' }
const undoing: DueRows = { ...deals, name: 'deals undone', column: 'break_at' }
const telling: DueRows = { ...deals, name: 'deals told', column: 'tell_at' }
const receipts: DueRows = { ...stepping, name: 'receipts', table: 'fx_receipts' }

/** The sweeps over deals and receipts; without a provider there are none. */
export function fxSweeps(context: FxContext, onDealChanged: OnDealChanged): readonly Sweep[] {
  const { fx } = context
  if (fx === null) {
    return []
  }
  return [
    dueSweep(context, stepping, (key) => step(context, key)),
    pacedSweep(
      context,
      { name: fx.name, pace: UNDOING },
      dueSweep(context, undoing, (key) => undo(context, key)),
    ),
    dueSweep(context, receipts, (key) => seeToReceipt(context, key)),
    arrivals(context, fx),
    dueSweep(context, telling, (key) => tell(context, key, onDealChanged)),
  ]
}

/** What is next in each state; in the others nothing is, or somebody else decides. */
const steps: Readonly<Partial<Record<DealState, (context: FxContext, deal: Deal) => Promise<void>>>> = {
  booking: resumeBooking,
  standing: awaitFunds,
  funded: payOut,
  paying: followPayout,
  paid: followPayout,
}

async function step(context: FxContext, key: RowKey): Promise<void> {
  const deal = await findDealById(context.database, key)
  await (deal && steps[deal.state]?.(context, deal))
}

async function undo(context: FxContext, key: RowKey): Promise<void> {
  const deal = await findDealById(context.database, key)
  if (deal?.state === 'breaking') {
    await undoDeal(context, deal)
  }
}

/** Not a row but a provider; one process looks at a time. */
function arrivals(context: FxContext, provider: FxProvider): Sweep {
  return {
    name: 'arrivals',
    time: 'wall',
    nextDue: () => nextLookAt(context, provider),
    // The first round makes the row that is selected here.
    dueStatement: nextLookStatement(provider.name),
    run: async () => ((await lookWhenDue(context, provider)) ? 1 : 0),
  }
}

async function seeToReceipt(context: FxContext, key: RowKey): Promise<void> {
  const found = await findReceipt(context.database, key)
  if (found?.state === 'held' && found.reason !== 'early') {
    await releaseReceipt(context, key)
  } else if (found?.state === 'arrived' || found?.state === 'held') {
    await settleReceipt(context, key)
  }
  const receipt = await findReceipt(context.database, key)
  if (receipt?.state === 'returning') {
    await sendBack(context, receipt)
  }
}

async function tell(context: FxContext, key: RowKey, onDealChanged: OnDealChanged): Promise<void> {
  const deal = await findDealById(context.database, key)
  if (deal !== undefined) {
    await onDealChanged(deal)
    await writeTold(context.database, deal)
  }
}
