/** Records inbound funds once, however often the provider reports them, and then allocates them. */

import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { listOpenTaskDetails, raiseTask, resolveTaskAutomatically, wasTaskRaised } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { postLedgerEntry } from '../ledger/ledger.ts'
import { arrivedLines } from '../ledger/ledger-lines.ts'
import type { FxProvider, ProviderInboundFunds, UnreadableInboundFunds } from '../providers/fx-provider.ts'
import { tryProviderCall } from '../providers/provider-retry.ts'
import { findQuoteByReferenceText } from '../quotes/find-quote.ts'
import { type InboundFunds, NO_PARTNER_ID } from '../store/inbound-funds.ts'
import { insertInboundFunds } from '../store/inbound-funds-store.ts'
import { exemptQuoteFromPurge } from '../store/quote-store.ts'
import { allocateInboundFunds } from './allocate-inbound-funds.ts'

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

/** Raises the task unless it was raised before: the funds of one that is resolved were settled by hand. */
export async function raiseUnreadableFundsTask(
  context: Context,
  provider: string,
  unreadable: UnreadableInboundFunds,
): Promise<void> {
  const { id: providerReceiptId, error } = unreadable
  const subject = subjectOf(provider, providerReceiptId)
  if (!(await wasTaskRaised(context, subject))) {
    const detail = { provider, providerReceiptId, errorKind: error.kind }
    await raiseTask(context, { ...subject, subjectType: 'receipt', detail })
  }
}

/** Each costs a call of every poll. */
const READ_AGAIN_MAX = 20

/** Funds with an open task that can be read by now; the list of a poll may begin after them. */
export async function readUnreadableFundsAgain(
  { database }: Context,
  provider: FxProvider,
): Promise<readonly ProviderInboundFunds[]> {
  const details = await listOpenTaskDetails(database, UNREADABLE, READ_AGAIN_MAX)
  const read: ProviderInboundFunds[] = []
  for (const { provider: name, providerReceiptId } of details) {
    if (name === provider.name) {
      const again = await tryProviderCall(() => provider.readInboundFunds(String(providerReceiptId)))
      read.push(...('done' in again ? [again.done] : []))
    }
  }
  return read
}

/** Resolves the task once the funds are recorded. */
async function settleUnreadableFundsTask(context: Context, provider: string, providerReceiptId: string): Promise<void> {
  const subject = { ...subjectOf(provider, providerReceiptId), subjectType: 'receipt' } as const
  await resolveTaskAutomatically(context, subject, 'the funds were read at the provider and recorded')
}

const UNREADABLE = { partnerId: NO_PARTNER_ID, kind: 'UnreadableReceipt' } as const

/** The receipt has no id of ours yet: a UUID is derived from the provider's id, so that repeated tasks coincide. */
function subjectOf(provider: string, providerReceiptId: string) {
  const digest = createHash('sha256').update(`${provider} ${providerReceiptId}`).digest('hex')
  const subjectId = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
  return { ...UNREADABLE, subjectId }
}
