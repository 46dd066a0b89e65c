/** Starts the return of funds whose bank day of holding is over, and cancels a deal that they fund only in part. */

import type { Context } from '../../context.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { formatMoney } from '../../platform/money.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { Deal } from '../deals/deal.ts'
import { insertDealEvent } from '../deals/deal-history-store.ts'
import { findDealById } from '../deals/deal-store.ts'
import { transitionDeal } from '../deals/transition-deal.ts'
import type { InboundFunds } from './inbound-funds.ts'
import {
  findInboundFunds,
  type InboundFundsKey,
  listInboundFundsOfDeal,
  writeInboundFunds,
} from './inbound-funds-store.ts'

/** The decision and its effect on the deal are one transaction; the provider is called after it. */
export async function releaseHeldFunds(context: Context, key: InboundFundsKey): Promise<void> {
  await inTransaction(context, async (context) => {
    const read = await findInboundFunds(context.database, key)
    const deal = read && (await dealOfReceipt(context.database, read))
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

async function dealOfReceipt(database: Queryable, { partnerId, dealId }: InboundFunds): Promise<Deal | undefined> {
  return dealId === null ? undefined : await findDealById(database, { partnerId, id: dealId }, { lock: true })
}

/** Changes held funds to `returning`; the history event is written only if the change was. */
export async function startFundsReturn(
  { database, clock }: ProgramContext,
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
async function cancelForShortFunds(context: Context, deal: Deal): Promise<void> {
  const reason = 'funding-short'
  await transitionDeal(context, deal, {
    state: 'cancelling',
    reason,
    unwindAt: context.clock.now(),
    detail: { reason },
  })
  const parts = await listInboundFundsOfDeal(context.database, deal)
  for (const part of parts.filter((each) => each.state === 'held' && each.reason === 'short')) {
    await startFundsReturn(context, part, deal)
  }
}
