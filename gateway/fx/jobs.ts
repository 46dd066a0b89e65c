/** Sweeps that advance deals and inbound funds at the provider, and notify the payments of deals. */
import type { Context } from '../context.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { openBatchPurge } from '../platform/jobs/batch-purge.ts'
import type { DueRowSource, RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { resumeBooking } from './deals/book-deal.ts'
import { unwindDeal } from './deals/change-deal.ts'
import { allocateInboundFunds } from './funding/allocate-inbound-funds.ts'
import { INBOUND_FUNDS_POLL, pollFunding, pollInboundFundsWhenDue } from './funding/poll-inbound-funds.ts'
import { releaseHeldFunds, returnFunds } from './funding/return-funds.ts'
import { orderPayout, pollPayout } from './payouts/order-payout.ts'
import {
  acquireSweepPermits,
  ensureProvider,
  nextInboundFundsPollStatement,
  releaseSweepPermits,
  type SweepRate,
} from './providers/provider-store.ts'
import type { Deal, DealState } from './store/deal.ts'
import { findDealById } from './store/deal-store.ts'
import { writePaymentNotified } from './store/deal-transition-store.ts'
import { findInboundFunds } from './store/inbound-funds-store.ts'
import { purgeQuotes } from './store/quote-store.ts'

/** Called after each change of a deal, at least once, and again until it does not throw. */
export type OnDealChanged = (deal: Deal) => Promise<void>

/** Covers a provider call with a login before it and a second one after an expired session, and our statements. */
const LEASE_SECONDS = 120
/** Half of the provider's calls per minute: requests for quotes come first. */
const UNWIND_RATE = { everyMilliseconds: 240, atOnce: 50 }

const deals = { table: 'fx_deals', partition: 'provider', time: 'business', leaseSeconds: LEASE_SECONDS } as const
const stepSource: DueRowSource = { ...deals, name: 'FX deals', column: 'due_at' }
const unwindSource: DueRowSource = { ...deals, name: 'FX deal unwinding', column: 'unwind_at' }
const notifySource: DueRowSource = { ...deals, name: 'FX deal notifications', column: 'notify_at' }
const fundsSource: DueRowSource = { ...stepSource, name: 'inbound funds', table: 'fx_inbound_funds' }

/** The sweeps over deals and inbound funds; empty without a provider. */
export function fxSweeps(context: Context, onDealChanged: OnDealChanged): readonly Sweep[] {
  const { database, fx } = context
  if (fx === null) {
    return []
  }
  const nextPoll = nextInboundFundsPollStatement(fx.name)
  return [
    dueRowSweep(context, stepSource, (key) => processDueDeal(context, key)),
    rateLimitedSweep(
      context,
      { name: fx.name, pace: UNWIND_RATE },
      dueRowSweep(context, unwindSource, (key) => unwindDueDeal(context, key)),
    ),
    dueRowSweep(context, fundsSource, (key) => processInboundFunds(context, key)),
    {
      name: INBOUND_FUNDS_POLL,
      time: 'wall',
      nextDue: async () => (await nextPoll.execute(database.query)).rows[0]?.pollAt ?? null,
      dueStatement: nextPoll,
      run: async () => ((await pollInboundFundsWhenDue(context, fx)) ? 1 : 0),
    },
    dueRowSweep(context, notifySource, (key) => notifyDealChanged(context, key, onDealChanged)),
  ]
}

/** The next step by state; the other states have none, or change by another operation. */
const nextSteps: Readonly<Partial<Record<DealState, (context: Context, deal: Deal) => Promise<void>>>> = {
  booking: resumeBooking,
  confirmed: pollFunding,
  funded: orderPayout,
  paying: pollPayout,
  paid: pollPayout,
}

async function processDueDeal(context: Context, key: RowKey): Promise<void> {
  const deal = await findDealById(context.database, key)
  await (deal && nextSteps[deal.state]?.(context, deal))
}

async function unwindDueDeal(context: Context, key: RowKey): Promise<void> {
  const deal = await findDealById(context.database, key)
  if (deal?.state === 'cancelling') {
    await unwindDeal(context, deal)
  }
}

async function processInboundFunds(context: Context, key: RowKey): Promise<void> {
  const found = await findInboundFunds(context.database, key)
  if (found?.state === 'held' && found.reason !== 'early') {
    await releaseHeldFunds(context, key)
  } else if (found?.state === 'arrived' || found?.state === 'held') {
    await allocateInboundFunds(context, key)
  }
  const receipt = await findInboundFunds(context.database, key)
  if (receipt?.state === 'returning' || receipt?.state === 'returned') {
    await returnFunds(context, receipt)
  }
}

async function notifyDealChanged(context: Context, key: RowKey, onDealChanged: OnDealChanged): Promise<void> {
  const deal = await findDealById(context.database, key)
  if (deal !== undefined) {
    await onDealChanged(deal)
    await writePaymentNotified(context.database, deal)
  }
}

type Dependencies = { readonly database: Queryable; readonly clock: Clock }

/** Permits are acquired before rows are claimed; unused ones are released. */
export function rateLimitedSweep(
  { database, clock }: Dependencies,
  { name, pace }: { readonly name: string; readonly pace: SweepRate },
  sweep: Sweep & Required<Pick<Sweep, 'begin'>>,
): Sweep {
  const acquireForDueRows = async (wanted: number): Promise<number> => {
    const due = await sweep.nextDue()
    if (due === null || Temporal.Instant.compare(due, clock.now()) > 0) {
      return 0
    }
    const real = clock.real()
    await ensureProvider(database, name, real)
    return await acquireSweepPermits(database, name, { wanted, real, pace })
  }
  const begin = async (limit: number) => {
    const permits = await acquireForDueRows(limit)
    const begun = permits === 0 ? [] : await sweep.begin(permits)
    if (begun.length < permits) {
      // Prevents an unhandled rejection while the permits are released; the caller awaits the rows after that.
      void Promise.allSettled(begun)
      await releaseSweepPermits(database, name, { unused: permits - begun.length, pace })
    }
    return begun
  }
  const run = async (limit: number) => {
    const begun = await begin(limit)
    await Promise.allSettled(begun)
    await Promise.all(begun)
    return begun.length
  }
  return { ...sweep, begin, run }
}

const QUOTE_RETENTION = 'FX quote retention'

/** Deletes quotes that were not booked, once their retention is over by business time. */
export function quoteRetentionSweep(context: ProgramContext): Sweep {
  const { clock, database } = context
  const purge = openBatchPurge(context, QUOTE_RETENTION)
  return {
    name: QUOTE_RETENTION,
    time: 'business',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => null,
    run: (limit) => purge.run('quotes', limit, (range) => purgeQuotes(database, clock.now(), range)),
  }
}
