/** Tells operators of money that arrived and that nobody can read at its provider, and takes that back once it was taken. */
import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { raiseTask, settleTask } from '../../operators/raise-task.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { UnreadReceipt } from '../provider/receipt.ts'
import { NOBODY } from './inbound-funds.ts'

type Surroundings = Pick<Context, 'clock' | 'log'> & { readonly database: Queryable }

/** Raises a task unless it is raised already. */
export async function tellUnread(context: Surroundings, provider: string, unread: UnreadReceipt): Promise<void> {
  const { id: providerReceiptId, refusal } = unread
  const detail = { provider, providerReceiptId, refusal: refusal.kind }
  await raiseTask(context, { ...subjectOf(provider, providerReceiptId), subjectType: 'receipt', detail })
}

/** Closes the task about money that is taken now. */
export async function settleUnread(
  context: Omit<Surroundings, 'log'>,
  provider: string,
  providerReceiptId: string,
): Promise<void> {
  const subject = { ...subjectOf(provider, providerReceiptId), subjectType: 'receipt' } as const
  await settleTask(context, subject, 'the provider told of it, and it was taken')
}

/** It has no id of ours yet: one is made of the provider's, always the same. */
function subjectOf(provider: string, providerReceiptId: string) {
  const digest = createHash('sha256').update(`${provider} ${providerReceiptId}`).digest('hex')
  const subjectId = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
  return { partnerId: NOBODY, kind: 'UnreadableReceipt', subjectId } as const
}
