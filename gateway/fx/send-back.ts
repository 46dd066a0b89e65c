/** Sends money back to whoever sent it, and follows it until it has arrived there. */

import { raiseTask, settleTask } from '../operators/raise-task.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { printMoney } from '../platform/money.ts'
import { insertDealEvent } from './deals/deal-history-store.ts'
import type { Receipt } from './funding/inbound-funds.ts'
import { postponeReceipt, writeReceipt, writeReturnOrdered } from './funding/inbound-funds-store.ts'
import type { FxContext } from './fx-context.ts'
import { sentBackLines } from './ledger/ledger-lines.ts'
import { post } from './ledger/post.ts'
import { isOverdue, nextLookAtPayout } from './payout-schedule.ts'
import { attempt, providerOf, retryAfter } from './provider-of.ts'
import type { FxRefusal } from './providers/fx-provider-error.ts'
import type { ProviderPayment } from './providers/payout.ts'

/** Asked for twice under the same id, it is sent once. */
export async function sendBack(context: FxContext, receipt: Receipt): Promise<void> {
  const { payoutId, returnId } = receipt
  if (returnId === null) {
    throw new Error(`Receipt ${receipt.id} is to be sent back, and the request for that has no id`)
  }
  if (payoutId === null) {
    await order(context, receipt, returnId)
  } else {
    await follow(context, receipt, payoutId)
  }
}

async function order(context: FxContext, receipt: Receipt, returnId: string): Promise<void> {
  const { providerReceiptId } = receipt
  const ordered = await attempt(() => providerOf(context, receipt).returnReceipt(providerReceiptId, returnId))
  if ('refusal' in ordered) {
    await tryLater(context, receipt, ordered.refusal)
    return
  }
  const now = context.clock.now()
  const { payoutId } = ordered.done
  await writeReturnOrdered(context.database, receipt, { payoutId, dueAt: nextLookAtPayout(now, now) })
}

async function follow(context: FxContext, receipt: Receipt, payoutId: string): Promise<void> {
  const read = await attempt(() => providerOf(context, receipt).readPayout(payoutId))
  if ('refusal' in read) {
    await tryLater(context, receipt, read.refusal)
  } else if (read.done.state === 'completed') {
    await keepReturned(context, receipt)
  } else if (read.done.state === 'failed' || read.done.state === 'deleted') {
    await keepNotReturnable(context, receipt, read.done)
  } else {
    const [now, { changedAt }] = [context.clock.now(), receipt]
    if (read.done.state === 'held' || isOverdue(changedAt, now)) {
      await tell(context, receipt, { payout: payoutId, providerStatus: read.done.providerStatus })
    }
    const dueAt = nextLookAtPayout(changedAt, now)
    await postponeReceipt(context.database, receipt, { attempts: 0, failingSince: null, dueAt })
  }
}

async function keepReturned(context: FxContext, receipt: Receipt): Promise<void> {
  const { clock } = context
  const at = clock.now()
  const { partnerId, dealId } = receipt
  await atomically(context.database, async (database) => {
    if (!(await writeReceipt(database, receipt, { state: 'returned', at }))) {
      return
    }
    await post(database, { partnerId, event: 'sent-back', at, lines: sentBackLines(receipt) })
    if (dealId !== null) {
      const detail = { amount: printMoney(receipt.amount), why: receipt.reason }
      await insertDealEvent(database, { partnerId, id: dealId }, { at, event: 'money-back-at-sender', detail })
    }
    const task = { partnerId, subjectType: 'receipt', subjectId: receipt.id } as const
    for (const kind of ['UnknownReceipt', 'ReceiptNotReturned'] as const) {
      await settleTask({ database, clock }, { ...task, kind }, 'the money went back to whoever sent it')
    }
  })
}

/** It is with the provider still, and only people can say where it should go. */
async function keepNotReturnable(context: FxContext, receipt: Receipt, payment: ProviderPayment): Promise<void> {
  const at = context.clock.now()
  await writeReceipt(context.database, receipt, { state: 'held', at, reason: 'not-returnable' })
  await tell(context, receipt, { payout: payment.id, providerStatus: payment.providerStatus })
}

async function tryLater(context: FxContext, receipt: Receipt, refusal: FxRefusal): Promise<void> {
  const { at, isStuck, ...trouble } = retryAfter(context.clock.now(), receipt, refusal)
  if (isStuck) {
    await tell(context, receipt, { refusal: refusal.kind, attempts: trouble.attempts })
  }
  await postponeReceipt(context.database, receipt, { ...trouble, dueAt: at })
}

async function tell(context: FxContext, receipt: Receipt, why: Readonly<Record<string, unknown>>): Promise<void> {
  const { partnerId, id, provider, providerReceiptId, dealId, reason } = receipt
  const detail = { provider, providerReceiptId, dealId, heldAs: reason, ...why }
  await raiseTask(context, { partnerId, kind: 'ReceiptNotReturned', subjectType: 'receipt', subjectId: id, detail })
}
