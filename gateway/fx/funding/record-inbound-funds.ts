/** Records inbound funds once, however often the provider reports them, and then allocates them. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { arrivedLines } from '../ledger/ledger-lines.ts'
import { postLedgerEntry } from '../ledger/post-ledger-entry.ts'
import type { ProviderInboundFunds } from '../providers/provider-inbound-funds.ts'
import { findQuoteByReferenceText } from '../quotes/find-quote-by-reference.ts'
import { exemptQuoteFromPurge } from '../quotes/quote-store.ts'
import { allocateInboundFunds } from './allocate-inbound-funds.ts'
import { type InboundFunds, NO_PARTNER_ID } from './inbound-funds.ts'
import { insertInboundFunds } from './inbound-funds-store.ts'
import { settleUnreadableFundsTask } from './raise-unreadable-funds-task.ts'

/** Returns whether they are new. If this process dies before they are allocated, the sweep allocates them. */
export async function recordInboundFunds(
  context: Context,
  provider: string,
  arrived: ProviderInboundFunds,
): Promise<boolean> {
  const quote = await findQuoteByReferenceText(context, arrived.reference)
  const at = context.clock.now()
  const receipt: InboundFunds = {
    ...{ partnerId: quote?.partnerId ?? NO_PARTNER_ID, id: newId(), provider, providerReceiptId: arrived.id },
    ...{ amount: arrived.amount, reference: arrived.reference, receivedAt: arrived.receivedAt },
    ...{ quoteId: quote?.id ?? null, dealId: null, state: 'arrived', reason: null, createdAt: at, changedAt: at },
    ...{ returnId: null, payoutId: null, failingSince: null, attempts: 0, dueAt: null },
  }
  const isNew = await inTransaction(context, async (context) => {
    const isInserted = await insertInboundFunds(context.database, receipt, at)
    if (isInserted) {
      const { partnerId } = receipt
      await postLedgerEntry(context.database, { partnerId, event: 'arrived', at, lines: arrivedLines(receipt) })
      await (quote && exemptQuoteFromPurge(context.database, quote))
      await settleUnreadableFundsTask(context, provider, arrived.id)
    }
    return isInserted
  })
  if (isNew) {
    await allocateInboundFunds(context, receipt)
  }
  return isNew
}
