/** Takes money that arrived at the provider: kept once however often it is told of, and then judged. */
import { atomically } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/ids.ts'
import { settleReceipt } from './funding/allocate-inbound-funds.ts'
import { NOBODY, type Receipt } from './funding/inbound-funds.ts'
import { insertReceipt } from './funding/inbound-funds-store.ts'
import { settleUnread } from './funding/raise-unreadable-funds-task.ts'
import type { FxContext } from './fx-context.ts'
import { arrivedLines } from './ledger/ledger-lines.ts'
import { post } from './ledger/post.ts'
import type { ProviderReceipt } from './provider/receipt.ts'
import { quoteNamedIn } from './quotes/find-quote-by-reference.ts'
import { keepForEver } from './quotes/quote-store.ts'

/** Whether it was new. What it comes to is found out at once, or by the sweep when this process dies. */
export async function takeReceipt(context: FxContext, provider: string, arrived: ProviderReceipt): Promise<boolean> {
  const quote = await quoteNamedIn(context, arrived.reference)
  const at = context.clock.now()
  const receipt: Receipt = {
    ...{ partnerId: quote?.partnerId ?? NOBODY, id: newId(), provider, providerReceiptId: arrived.id },
    ...{ amount: arrived.amount, reference: arrived.reference, receivedAt: arrived.receivedAt },
    ...{ quoteId: quote?.id ?? null, dealId: null, state: 'arrived', reason: null, createdAt: at, changedAt: at },
    ...{ returnId: null, payoutId: null, failingSince: null, attempts: 0, dueAt: null },
  }
  const isNew = await atomically(context.database, async (database) => {
    const kept = await insertReceipt(database, receipt, at)
    if (kept) {
      const { partnerId } = receipt
      await post(database, { partnerId, event: 'arrived', at, lines: arrivedLines(receipt) })
      await (quote && keepForEver(database, quote))
      await settleUnread({ ...context, database }, provider, arrived.id)
    }
    return kept
  })
  if (isNew) {
    await settleReceipt(context, receipt)
  }
  return isNew
}
