/** Returns inbound funds to their sender, and polls the payout that returns them, which may come back after it was completed. */
import type { Context } from '../../context.ts'
import { raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { formatMoney } from '../../platform/money.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { cancelDeal } from '../deals/change-deal.ts'
import { postLedgerEntry } from '../ledger/ledger.ts'
import { fundsReturnedLines } from '../ledger/ledger-lines.ts'
import { isPayoutOverdue, nextCompletedPayoutPollAt, nextPayoutPollAt } from '../payouts/order-payout.ts'
import type { FxProviderError } from '../providers/fx-provider-error.ts'
import type { ProviderPayout } from '../providers/payout.ts'
import { providerOf, scheduleRetry, tryProviderCall } from '../providers/provider-retry.ts'
import type { Deal } from '../store/deal.ts'
import { findDealById } from '../store/deal-store.ts'
import { insertDealEvent } from '../store/deal-transition-store.ts'
import { type InboundFunds, nextReturnId } from '../store/inbound-funds.ts'
import {
  findInboundFunds,
  type InboundFundsKey,
  listInboundFundsOfDeal,
  postponeInboundFunds,
  writeFundsReturnOrdered,
  writeInboundFunds,
} from '../store/inbound-funds-store.ts'

/** Idempotent by `returnId`. */
export async function returnFunds(context: Context, receipt: InboundFunds): Promise<void> {
  const { payoutId, returnId } = receipt
  if (returnId === null) {
    throw new Error(`Receipt ${receipt.id} is to be returned, but has no return id`)
  }
  if (payoutId === null) {
    await order(context, receipt, returnId)
  } else {
    await poll(context, receipt, payoutId)
  }
}

async function order(context: Context, receipt: InboundFunds, returnId: string): Promise<void> {
  const recorded = { id: receipt.providerReceiptId, amount: receipt.amount }
  const ordered = await tryProviderCall(() => providerOf(context, receipt).returnInboundFunds(recorded, returnId))
  if ('error' in ordered) {
    await postponeAfterFailure(context, receipt, ordered.error)
    return
  }
  const now = context.clock.now()
  const { payoutId } = ordered.done
  await writeFundsReturnOrdered(context.database, receipt, { payoutId, dueAt: nextPayoutPollAt(now, now) })
}

async function poll(context: Context, receipt: InboundFunds, payoutId: string): Promise<void> {
  const read = await tryProviderCall(() => providerOf(context, receipt).readPayout(payoutId))
  const [now, { changedAt }] = [context.clock.now(), receipt]
  if ('error' in read) {
    await postponeAfterFailure(context, receipt, read.error)
  } else if (read.done.state === 'failed' || read.done.state === 'deleted') {
    await recordNotReturnable(context, receipt, read.done)
  } else if (receipt.state === 'returned') {
    await postponePoll(context, receipt, nextCompletedPayoutPollAt(changedAt, now))
  } else if (read.done.state === 'completed') {
    await recordFundsReturned(context, receipt)
  } else {
    if (read.done.state === 'held' || isPayoutOverdue(changedAt, now)) {
      await raiseNotReturnedTask(context, receipt, { payout: payoutId, providerStatus: read.done.providerStatus })
    }
    await postponePoll(context, receipt, nextPayoutPollAt(changedAt, now))
  }
}

async function postponePoll(context: Context, receipt: InboundFunds, dueAt: Temporal.Instant | null): Promise<void> {
  await postponeInboundFunds(context.database, receipt, { attempts: 0, failingSince: null, dueAt })
}

async function recordFundsReturned(context: Context, receipt: InboundFunds): Promise<void> {
  const { clock } = context
  const at = clock.now()
  const { partnerId, dealId } = receipt
  await inTransaction(context, async (context) => {
    const dueAt = nextCompletedPayoutPollAt(at, at)
    if (!(await writeInboundFunds(context.database, receipt, { state: 'returned', at, dueAt }))) {
      return
    }
    await postLedgerEntry(context.database, { partnerId, event: 'sent-back', at, lines: fundsReturnedLines(receipt) })
    if (dealId !== null) {
      const detail = { amount: formatMoney(receipt.amount), why: receipt.reason }
      await insertDealEvent(context.database, { partnerId, id: dealId }, { at, event: 'money-back-at-sender', detail })
    }
    const task = { partnerId, subjectType: 'receipt', subjectId: receipt.id } as const
    for (const kind of ['UnknownReceipt', 'ReceiptNotReturned'] as const) {
      await resolveTaskAutomatically(context, { ...task, kind }, 'the funds were returned to their sender')
    }
  })
}

/** The funds are at the provider, still or again; only an operator can decide where to send them. */
async function recordNotReturnable(context: Context, receipt: InboundFunds, payment: ProviderPayout): Promise<void> {
  const [at, detail] = [context.clock.now(), { payout: payment.id, providerStatus: payment.providerStatus }]
  if (receipt.state === 'returned') {
    // The ledger has returned them once: they are settled by hand.
    await raiseNotReturnedTask(context, receipt, detail)
    await postponePoll(context, receipt, null)
  } else if (await writeInboundFunds(context.database, receipt, { state: 'held', at, reason: 'not-returnable' })) {
    await raiseNotReturnedTask(context, receipt, detail)
  }
}

async function postponeAfterFailure(context: Context, receipt: InboundFunds, error: FxProviderError): Promise<void> {
  const { at, isStuck, ...retryState } = scheduleRetry(context.clock.now(), receipt, error)
  if (isStuck && receipt.state === 'returning') {
    await raiseNotReturnedTask(context, receipt, { errorKind: error.kind, attempts: retryState.attempts })
  }
  await postponeInboundFunds(context.database, receipt, { ...retryState, dueAt: at })
}

async function raiseNotReturnedTask(
  context: Context,
  receipt: InboundFunds,
  why: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { partnerId, id, provider, providerReceiptId, dealId, reason } = receipt
  const detail = { provider, providerReceiptId, dealId, heldAs: reason, ...why }
  await raiseTask(context, { partnerId, kind: 'ReceiptNotReturned', subjectType: 'receipt', subjectId: id, detail })
}

/** The decision and its effect on the deal are one transaction; the provider is called after it. */
export async function releaseHeldFunds(context: Context, key: InboundFundsKey): Promise<void> {
  await inTransaction(context, async (context) => {
    const read = await findInboundFunds(context.database, key)
    const deal = read && (await lockDealOfFunds(context.database, read))
    const receipt = await findInboundFunds(context.database, key, { lock: true })
    if (receipt?.state !== 'held') {
      return
    }
    await startFundsReturn(context, receipt, deal)
    if (receipt.reason === 'short' && deal?.state === 'confirmed') {
      await cancelForShortFunds(context, deal)
    }
  })
}

/** The deal is locked before its funds, as everywhere. */
export async function lockDealOfFunds(
  database: Queryable,
  { partnerId, dealId }: InboundFunds,
): Promise<Deal | undefined> {
  return dealId === null ? undefined : await findDealById(database, { partnerId, id: dealId }, { lock: true })
}

/** Changes held funds to `returning`; the history event is written only if the change was. */
export async function startFundsReturn(
  { database, clock }: ProgramContext,
  receipt: InboundFunds,
  deal: Deal | undefined,
): Promise<void> {
  const at = clock.now()
  const returning = { state: 'returning', at, dueAt: at, returnId: nextReturnId(receipt) } as const
  if ((await writeInboundFunds(database, receipt, returning)) && deal !== undefined) {
    const detail = { amount: formatMoney(receipt.amount), why: receipt.reason }
    await insertDealEvent(database, deal, { at, event: 'money-sent-back', detail })
  }
}

/** The rest did not arrive within the bank day: the other parts are returned too, before their own day ends. */
async function cancelForShortFunds(context: Context, deal: Deal): Promise<void> {
  await cancelDeal(context, deal, 'funding-short')
  const parts = await listInboundFundsOfDeal(context.database, deal)
  for (const part of parts.filter((each) => each.state === 'held' && each.reason === 'short')) {
    await startFundsReturn(context, part, deal)
  }
}
