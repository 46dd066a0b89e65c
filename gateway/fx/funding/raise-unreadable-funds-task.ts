/** Raises and resolves operator tasks about inbound funds whose record at the provider cannot be parsed. */
import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import type { UnreadableInboundFunds } from '../providers/provider-inbound-funds.ts'
import { NO_PARTNER_ID } from './inbound-funds.ts'

/** Raises the task unless it is open already. */
export async function raiseUnreadableFundsTask(
  context: Context,
  provider: string,
  unreadable: UnreadableInboundFunds,
): Promise<void> {
  const { id: providerReceiptId, error } = unreadable
  const detail = { provider, providerReceiptId, errorKind: error.kind }
  await raiseTask(context, { ...subjectOf(provider, providerReceiptId), subjectType: 'receipt', detail })
}

/** Resolves the task once the funds are recorded. */
export async function settleUnreadableFundsTask(
  context: Context,
  provider: string,
  providerReceiptId: string,
): Promise<void> {
  const subject = { ...subjectOf(provider, providerReceiptId), subjectType: 'receipt' } as const
  await resolveTaskAutomatically(context, subject, 'the funds were read at the provider and recorded')
}

/** The receipt has no id of ours yet: a UUID is derived from the provider's id, so that repeated tasks coincide. */
function subjectOf(provider: string, providerReceiptId: string) {
  const digest = createHash('sha256').update(`${provider} ${providerReceiptId}`).digest('hex')
  const subjectId = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
  return { partnerId: NO_PARTNER_ID, kind: 'UnreadableReceipt', subjectId } as const
}
