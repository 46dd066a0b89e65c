/** Ends the bank day for which money was held: unless it funds its deal by now, it goes back to whoever sent it. */
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/ids.ts'
import { printMoney } from '../platform/money.ts'
import type { Deal } from './deals/deal.ts'
import { insertDealEvent } from './deals/deal-history-store.ts'
import { findDealById } from './deals/deal-store.ts'
import { type Moving, moveDeal } from './deals/transition-deal.ts'
import type { Receipt } from './funding/inbound-funds.ts'
import { findReceipt, listReceiptsOf, type ReceiptKey, writeReceipt } from './funding/inbound-funds-store.ts'
import type { FxContext } from './fx-context.ts'

/** Decided once, together with what it means for the deal; the provider is asked after that. */
export async function releaseReceipt(context: Pick<FxContext, 'clock'> & Moving, key: ReceiptKey): Promise<void> {
  const { clock } = context
  await atomically(context.database, async (database) => {
    const read = await findReceipt(database, key)
    const deal = read && (await dealOfReceipt(database, read))
    const receipt = await findReceipt(database, key, { lock: true })
    if (receipt?.state !== 'held') {
      return
    }
    await release({ database, clock }, receipt, deal)
    if (receipt.reason === 'short' && deal?.state === 'standing') {
      await breakForShortFunds({ database, clock }, deal)
    }
  })
}

async function dealOfReceipt(database: Queryable, { partnerId, dealId }: Receipt): Promise<Deal | undefined> {
  return dealId === null ? undefined : await findDealById(database, { partnerId, id: dealId }, { lock: true })
}

/** From now on it goes back; what is said of it may be said once. */
export async function release({ database, clock }: Moving, receipt: Receipt, deal: Deal | undefined): Promise<void> {
  const at = clock.now()
  if (
    (await writeReceipt(database, receipt, { state: 'returning', at, dueAt: at, returnId: newId() })) &&
    deal !== undefined
  ) {
    const detail = { amount: printMoney(receipt.amount), why: receipt.reason }
    await insertDealEvent(database, deal, { at, event: 'money-sent-back', detail })
  }
}

/** Nothing more came within the bank day; other parts need not wait for the end of theirs. */
async function breakForShortFunds({ database, clock }: Moving, deal: Deal): Promise<void> {
  const reason = 'funding-short'
  await moveDeal({ database, clock }, deal, { state: 'breaking', reason, breakAt: clock.now(), detail: { reason } })
  const parts = await listReceiptsOf(database, deal)
  for (const part of parts.filter((each) => each.state === 'held' && each.reason === 'short')) {
    await release({ database, clock }, part, deal)
  }
}
