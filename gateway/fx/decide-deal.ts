/** Carries out what operators decide of deals and of money that arrived; the audit log keeps who decided, and why. */
import type { Context } from '../context.ts'
import { settleTask } from '../operators/raise-task.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import { breakDeal } from './break-deal.ts'
import type { Deal } from './deals/deal.ts'
import { findDealById } from './deals/deal-store.ts'
import { hastenDeal } from './deals/deal-transition-store.ts'
import { settleDealTask } from './deals/raise-deal-task.ts'
import { moveDeal } from './deals/transition-deal.ts'
import { findReceipt, writeReceipt } from './funding/inbound-funds-store.ts'
import { ownLines } from './ledger/ledger-lines.ts'
import { post } from './ledger/post.ts'
import { release } from './release-receipt.ts'
import { requireDeal, requireReceipt } from './show-deals.ts'

type Surroundings = Pick<Context, 'database' | 'clock'>

/** Who decided, and what they say of it. */
export type Decision = { readonly actor: string; readonly note: string }

/** Why a decision is not taken, for the operator to read. */
export class DecisionRefused extends Error {}

/** Has the provider asked at once for whatever it has not done yet. */
export async function retryDeal({ database, clock }: Surroundings, actor: string, id: string): Promise<Deal> {
  const deal = await requireDeal(database, id)
  await hastenDeal(database, deal, clock.now())
  await audit({ database, clock }, deal, { actor, note: '' }, 'deal tried again')
  return deal
}

/** Breaks a deal whose money will not come. Throws `DecisionRefused` when it has gone too far. */
export async function breakByHand({ database, clock }: Surroundings, decision: Decision, id: string): Promise<Deal> {
  return await atomically(database, async (within) => {
    const deal = await requireDeal(within, id)
    const broken = await breakDeal({ database: within, clock }, deal, 'operator')
    if (broken.state !== 'breaking' && broken.unwanted === null) {
      throw new DecisionRefused(`The deal is ${broken.state}: it is not broken any more`)
    }
    await settleDealTask({ database: within, clock }, deal, 'FundingMissing', `${decision.actor} had the deal broken`)
    await audit({ database: within, clock }, deal, decision, 'deal broken')
    return broken
  })
}

/** Notes that the payer has what came back. Throws `DecisionRefused` unless something did. */
export async function noteRefunded({ database, clock }: Surroundings, decision: Decision, id: string): Promise<Deal> {
  return await atomically(database, async (within) => {
    const deal = await requireDeal(within, id)
    const locked = await findDealById(within, deal, { lock: true })
    if (locked?.state !== 'returned') {
      throw new DecisionRefused(`The deal is ${deal.state}: nothing of it is owed to the payer`)
    }
    const { note } = decision
    const refunded = await moveDeal({ database: within, clock }, locked, { state: 'refunded', detail: { note } })
    await settleDealTask({ database: within, clock }, deal, 'PayoutReturned', `${decision.actor} gave it back`)
    await audit({ database: within, clock }, deal, decision, 'deal refunded')
    return refunded ?? locked
  })
}

/** Sends money back that is held. Throws `DecisionRefused` for money that is not. */
export async function sendBackByHand({ database, clock }: Surroundings, decision: Decision, id: string): Promise<void> {
  await atomically(database, async (within) => {
    const found = await requireReceipt(within, id)
    const { partnerId, dealId } = found
    const deal = dealId === null ? undefined : await findDealById(within, { partnerId, id: dealId }, { lock: true })
    const receipt = await findReceipt(within, found, { lock: true })
    if (receipt?.state !== 'held' || receipt.reason === 'early') {
      throw new DecisionRefused(`The money is ${found.state}: it is not held for anybody`)
    }
    await release({ database: within, clock }, receipt, deal)
    await audit({ database: within, clock }, receipt, decision, 'money sent back', 'receipt')
  })
}

/** Takes money for our own that names no quote: we put it there. Throws `DecisionRefused` for any other. */
export async function keepAsOwn({ database, clock }: Surroundings, decision: Decision, id: string): Promise<void> {
  await atomically(database, async (within) => {
    const receipt = await findReceipt(within, await requireReceipt(within, id), { lock: true })
    if (receipt?.state !== 'held' || receipt.reason !== 'unknown') {
      throw new DecisionRefused('The money names a quote of a partner, or is not held: it is not ours')
    }
    const at = clock.now()
    const { partnerId } = receipt
    await writeReceipt(within, receipt, { state: 'used', at, reason: null })
    await post(within, { partnerId, event: 'funded', at, lines: ownLines(receipt) })
    const task = { partnerId, kind: 'UnknownReceipt', subjectType: 'receipt', subjectId: id } as const
    await settleTask({ database: within, clock }, task, `${decision.actor} said that it is our own`)
    await audit({ database: within, clock }, receipt, decision, 'money kept as our own', 'receipt')
  })
}

async function audit(
  context: Pick<Context, 'clock'> & { readonly database: Queryable },
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
  { actor, note }: Decision,
  action: string,
  subjectType = 'deal',
): Promise<void> {
  const subject = [subjectType, id] as const
  await writeAudit(context, { partnerId, actor, action, subject, detail: note === '' ? {} : { note } })
}
