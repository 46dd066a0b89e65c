/** Changes the state of a deal: confirms it, cancels it, also at its provider, or records what that reports. */
import { exchangeEventTypes } from '../../../contract/webhooks/event-types.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { formatMoney } from '../../platform/money.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { enqueueSelectedEvents } from '../../webhooks/events/enqueue-selected-events.ts'
import type { ReportedChange } from '../../webhooks/store/event.ts'
import { postLedgerEntry } from '../ledger/ledger.ts'
import {
  bookedLines,
  cancelledLines,
  type LedgerEvent,
  type LedgerLine,
  paidLines,
  refundedLines,
  returnedLines,
} from '../ledger/ledger-lines.ts'
import type { ConversionCancelled } from '../providers/conversion.ts'
import { providerOf, tryProviderCall } from '../providers/provider-retry.ts'
import {
  cancellableFrom,
  type Deal,
  type DealCancellationReason,
  type DealState,
  exchangeStepByState,
  mayTransition,
} from '../store/deal.ts'
import { findDealById } from '../store/deal-store.ts'
import {
  type DealChange,
  insertDealEvent,
  writeDealTransition,
  writePendingCancellation,
} from '../store/deal-transition-store.ts'
import { nextFundingPollAt } from './funding-poll-schedule.ts'
import { retryDealLater, settleDealTask } from './raise-deal-task.ts'

/** A change of state, with its ledger entry and the detail for the history. */
type DealTransition = DealChange & {
  readonly state: DealState
  readonly posting?: { readonly event: LedgerEvent; readonly lines: readonly LedgerLine[] }
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Returns the changed deal, or undefined if another process changed it first. Throws for illegal transitions. */
export async function transitionDeal(
  context: ProgramContext,
  deal: Deal,
  move: DealTransition,
): Promise<Deal | undefined> {
  if (!mayTransition(deal.state, move.state)) {
    throw new Error(`Deal ${deal.id} cannot change from ${deal.state} to ${move.state}`)
  }
  const { posting, detail, ...change } = move
  const at = context.clock.now()
  return await inTransaction(context, async (context) => {
    const moved = await writeDealTransition(context.database, deal, { ...change, at })
    if (moved === undefined) {
      return undefined
    }
    const entry = posting ?? postingOf(deal, moved)
    if (entry !== undefined) {
      await postLedgerEntry(context.database, { partnerId: deal.partnerId, at, ...entry })
    }
    await insertDealEvent(context.database, deal, { at, event: move.state, detail: detail ?? {} })
    await enqueueSelectedEvents(context.database, { partnerId: deal.partnerId, at }, changeOf(moved))
    return moved
  })
}

/** Its booking is no event: the order is answered with it. */
function changeOf({ id, paymentId, referenceCode, state }: Deal): readonly ReportedChange[] {
  if (state === 'booking' || state === 'booked' || state === 'failed') {
    return []
  }
  const step = exchangeStepByState[state]
  const data = { paymentId, referenceCode, step }
  return [{ type: exchangeEventTypes[step], subjectId: paymentId ?? id, data }]
}

/** The ledger entry that follows from the state alone; for funding and cancelling, the caller gives it. */
function postingOf(before: Deal, { state, returned }: Deal): DealTransition['posting'] {
  switch (state) {
    case 'booked':
      return { event: 'booked', lines: bookedLines(before) }
    case 'paid':
      return { event: 'paid', lines: paidLines(before) }
    case 'returned':
      return {
        event: 'came-back',
        lines: returnedLines(before, { wasPaid: before.state === 'paid', returned: returned ?? before.quote.buy }),
      }
    case 'refunded':
      return { event: 'refunded', lines: refundedLines(before, returned ?? before.quote.buy) }
    default:
      return undefined
  }
}

/**
 * Returns the deal as decided: `cancelling`, `cancelled` or `failed`. A deal whose booking outcome is unknown stays
 * `booking` with `cancelReason` set, and is cancelled once the outcome is known. A deal that this reason may not cancel
 * (`cancellableFrom`) is returned unchanged: a confirmed deal is not cancelled for a missing signature.
 */
export async function cancelDeal(context: ProgramContext, deal: Deal, reason: DealCancellationReason): Promise<Deal> {
  if (!cancellableFrom[reason].includes(deal.state)) {
    return deal
  }
  const unwindAt = context.clock.now()
  const changed =
    deal.state === 'booking'
      ? (await writePendingCancellation(context.database, deal, reason)) && {
          ...deal,
          cancelReason: deal.cancelReason ?? reason,
        }
      : await transitionDeal(context, deal, { state: 'cancelling', reason, unwindAt, detail: { reason } })
  if (changed) {
    return changed
  }
  // Another process has changed the deal meanwhile.
  const stored = await findDealById(context.database, deal)
  return stored === undefined ? deal : await cancelDeal(context, stored, reason)
}

/** Returns the deal after the change; one that is being cancelled or is past confirmation is returned unchanged. */
export async function confirmDeal(context: Context, deal: Deal, signedAt: Temporal.Instant): Promise<Deal> {
  if (deal.state !== 'booked') {
    return deal
  }
  const dueAt = nextFundingPollAt({ ...deal, signedAt }, context.clock.now())
  const detail = { signedAt: signedAt.toString() }
  const moved = await transitionDeal(context, deal, { state: 'confirmed', signedAt, dueAt, detail })
  if (moved !== undefined) {
    return moved
  }
  const stored = await findDealById(context.database, deal)
  return stored === undefined ? deal : await confirmDeal(context, stored, signedAt)
}

/** Idempotent: a conversion that was cancelled before counts as cancelled now. */
export async function unwindDeal(context: Context, deal: Deal): Promise<void> {
  const { conversionId } = deal
  if (conversionId === null) {
    throw new Error(`Deal ${deal.id} is to be cancelled at its provider, but has no conversion`)
  }
  const cancelled = await tryProviderCall(() => providerOf(context, deal).cancelConversion(conversionId))
  if ('done' in cancelled) {
    await recordCancelled(context, deal, cancelled.done)
  } else {
    await retryDealLater(context, deal, cancelled.error, { task: 'DealNotUnwound', due: 'unwindAt' })
  }
}

async function recordCancelled(context: Context, deal: Deal, { loss }: ConversionCancelled): Promise<void> {
  await inTransaction(context, async (context) => {
    await transitionDeal(context, deal, {
      state: 'cancelled',
      posting: { event: 'cancelled', lines: cancelledLines(deal, loss) },
      detail: { reason: deal.reason, loss: formatMoney(loss) },
    })
    for (const kind of ['DealNotUnwound', 'FundingMissing'] as const) {
      await settleDealTask(context, deal, kind, 'the provider has cancelled the conversion')
    }
  })
}
