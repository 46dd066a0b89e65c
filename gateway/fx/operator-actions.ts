/** Executes operators' decisions on deals and inbound funds, and records each in the audit log. */

import type { AuditAction } from '../operators/audit-actions.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import { resolveTaskAutomatically } from '../operators/raise-task.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { cancelDeal, transitionDeal } from './deals/change-deal.ts'
import { requireDeal, requireInboundFunds } from './deals/get-deal.ts'
import { settleDealTask } from './deals/raise-deal-task.ts'
import { lockDealOfFunds, startFundsReturn } from './funding/return-funds.ts'
import { postLedgerEntry } from './ledger/ledger.ts'
import { ownFundsLines } from './ledger/ledger-lines.ts'
import type { Deal } from './store/deal.ts'
import { findDealById } from './store/deal-store.ts'
import { makeDealDue } from './store/deal-transition-store.ts'
import { findInboundFunds, writeInboundFunds } from './store/inbound-funds-store.ts'

/** The operator, and the note for the audit log. */
export type OperatorDecision = { readonly actor: string; readonly note: string }

/** The action is not possible in the current state; the message is for the operator. */
export class OperatorActionRejected extends Error {}

/** Makes the deal due now, so that the sweep calls the provider at once. Throws `DealNotFound`. */
export async function retryDealByOperator(context: ProgramContext, actor: string, id: string): Promise<Deal> {
  return await inTransaction(context, async (context) => {
    const deal = await requireDeal(context.database, id)
    await makeDealDue(context.database, deal, context.clock.now())
    await audit(context, deal, { actor, note: '' }, 'deal tried again')
    return deal
  })
}

/** Cancels a deal that will not be funded. Throws `OperatorActionRejected` when it can no longer be cancelled. */
export async function cancelDealByOperator(
  context: ProgramContext,
  decision: OperatorDecision,
  id: string,
): Promise<Deal> {
  return await inTransaction(context, async (context) => {
    const deal = await requireDeal(context.database, id)
    const cancelled = await cancelDeal(context, deal, 'operator')
    // One that is still being booked is cancelled once that is known.
    if (cancelled.state !== 'cancelling' && cancelled.state !== 'booking') {
      throw new OperatorActionRejected(`The deal is ${cancelled.state}: it can no longer be cancelled`)
    }
    await settleDealTask(context, deal, 'FundingMissing', `${decision.actor} cancelled the deal`)
    await audit(context, deal, decision, 'deal cancelled')
    return cancelled
  })
}

/** Records that a returned payout was refunded to the payer. Throws `OperatorActionRejected` in any other state. */
export async function recordRefund(context: ProgramContext, decision: OperatorDecision, id: string): Promise<Deal> {
  return await inTransaction(context, async (context) => {
    const deal = await requireDeal(context.database, id)
    const locked = await findDealById(context.database, deal, { lock: true })
    if (locked?.state !== 'returned') {
      throw new OperatorActionRejected(`The deal is ${deal.state}: there is nothing to refund to the payer`)
    }
    const { note } = decision
    const refunded = await transitionDeal(context, locked, { state: 'refunded', detail: { note } })
    await settleDealTask(context, deal, 'PayoutReturned', `${decision.actor} refunded the payer`)
    await audit(context, deal, decision, 'deal refunded')
    return refunded ?? locked
  })
}

/** Returns held funds to their sender. Throws `OperatorActionRejected` for funds that are not held. */
export async function returnFundsByOperator(
  context: ProgramContext,
  decision: OperatorDecision,
  id: string,
): Promise<void> {
  await inTransaction(context, async (context) => {
    const found = await requireInboundFunds(context.database, id)
    const deal = await lockDealOfFunds(context.database, found)
    const receipt = await findInboundFunds(context.database, found, { lock: true })
    if (receipt?.state !== 'held') {
      throw new OperatorActionRejected(`The funds are ${found.state}: only held funds can be returned`)
    }
    if (receipt.reason === 'early') {
      throw new OperatorActionRejected('The funds wait for the booking of their deal: try again once it is known')
    }
    await startFundsReturn(context, receipt, deal)
    await audit(context, receipt, decision, 'money sent back', 'receipt')
  })
}

/** Books unidentified funds as our own deposit. Throws `OperatorActionRejected` for any other funds. */
export async function recordAsOwnFunds(context: ProgramContext, decision: OperatorDecision, id: string): Promise<void> {
  await inTransaction(context, async (context) => {
    const receipt = await findInboundFunds(context.database, await requireInboundFunds(context.database, id), {
      lock: true,
    })
    if (receipt?.state !== 'held' || receipt.reason !== 'unknown') {
      throw new OperatorActionRejected('Only held funds that name no quote can be booked as our own')
    }
    const at = context.clock.now()
    const { partnerId } = receipt
    await writeInboundFunds(context.database, receipt, { state: 'used', at, reason: null })
    await postLedgerEntry(context.database, { partnerId, event: 'funded', at, lines: ownFundsLines(receipt) })
    const task = { partnerId, kind: 'UnknownReceipt', subjectType: 'receipt', subjectId: id } as const
    await resolveTaskAutomatically(context, task, `${decision.actor} booked the funds as our own`)
    await audit(context, receipt, decision, 'money kept as our own', 'receipt')
  })
}

async function audit(
  context: ProgramContext,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
  { actor, note }: OperatorDecision,
  action: AuditAction,
  subjectType = 'deal',
): Promise<void> {
  const subject = [subjectType, id] as const
  await writeAuditEntry(context, { partnerId, actor, action, subject, detail: note === '' ? {} : { note } })
}
