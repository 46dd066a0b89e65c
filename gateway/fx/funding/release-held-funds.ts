/** Starts the return of funds whose bank day of holding is over, and cancels a deal that they fund only in part. */
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { formatMoney } from '../../platform/money.ts'
import type { Deal } from '../deals/deal.ts'
import { insertDealEvent } from '../deals/deal-history-store.ts'
import { findDealById } from '../deals/deal-store.ts'
import { type TransitionContext, transitionDeal } from '../deals/transition-deal.ts'
import type { FxContext } from '../fx-context.ts'
import type { InboundFunds } from './inbound-funds.ts'
import {
  findInboundFunds,
  type InboundFundsKey,
  listInboundFundsOfDeal,
  writeInboundFunds,
} from './inbound-funds-store.ts'

/** The decision and its effect on the deal are one transaction; the provider is called after it. */
export async function releaseHeldFunds(
  context: Pick<FxContext, 'clock'> & TransitionContext,
  key: InboundFundsKey,
): Promise<void> {
  const { clock } = context
  await inTransaction(context.database, async (database) => {
    const read = await findInboundFunds(database, key)
    const deal = read && (await dealOfReceipt(database, read))
    const receipt = await findInboundFunds(database, key, { lock: true })
    if (receipt?.state !== 'held') {
      return
    }
    await startFundsReturn({ database, clock }, receipt, deal)
    if (receipt.reason === 'short' && deal?.state === 'confirmed') {
      await cancelForShortFunds({ database, clock }, deal)
    }
  })
}

async function dealOfReceipt(database: Queryable, { partnerId, dealId }: InboundFunds): Promise<Deal | undefined> {
  return dealId === null ? undefined : await findDealById(database, { partnerId, id: dealId }, { lock: true })
}

/** Changes held funds to `returning`; the history event is written only if the change was. */
export async function startFundsReturn(
  { database, clock }: TransitionContext,
  receipt: InboundFunds,
  deal: Deal | undefined,
): Promise<void> {
  const at = clock.now()
  if (
    (await writeInboundFunds(database, receipt, { state: 'returning', at, dueAt: at, returnId: newId() })) &&
    deal !== undefined
  ) {
    const detail = { amount: formatMoney(receipt.amount), why: receipt.reason }
    await insertDealEvent(database, deal, { at, event: 'money-sent-back', detail })
  }
}

/** The rest did not arrive within the bank day: the other parts are returned too, before their own day ends. */
async function cancelForShortFunds({ database, clock }: TransitionContext, deal: Deal): Promise<void> {
  const reason = 'funding-short'
  await transitionDeal({ database, clock }, deal, {
    state: 'cancelling',
    reason,
    unwindAt: clock.now(),
    detail: { reason },
  })
  const parts = await listInboundFundsOfDeal(database, deal)
  for (const part of parts.filter((each) => each.state === 'held' && each.reason === 'short')) {
    await startFundsReturn({ database, clock }, part, deal)
  }
}
