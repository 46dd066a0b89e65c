/** Every query on pending entries: authorised payments, and other transfers in progress. */

import { type Selectable, sql } from 'kysely'
import { selectRows } from '../../rows.ts'
import { businessDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import type { Account } from '../fixture.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { bookEntries, type Entry, lockAccounts } from '../ledger/account-store.ts'
import { endToEndIdOf } from '../payments/payment.ts'
import { findPendingPayments, retryUnfunded } from '../payments/payment-store.ts'
import type { PendingEntryTable } from '../tables.ts'

/** A pending entry of either kind. */
export type Pending = Pick<
  Entry,
  | 'persistent_id'
  | 'amount_minor'
  | 'currency'
  | 'value_on'
  | 'counterparty'
  | 'counterparty_account'
  | 'message'
  | 'reference'
  | 'end_to_end_id'
  | 'parts'
  | 'batch_size'
>

/** All pending entries of an account, oldest first, including those booked since an instant. */
export async function findPendingEntries(
  context: Context,
  { bic: bank, bban }: Pick<Account, 'bic' | 'bban'>,
  bookedSince: Temporal.Instant,
): Promise<readonly Pending[]> {
  const payments = await findPendingPayments(context, bank, bban)
  const others = await selectRows(context, 'pending_entries', { bank, bban }, { order: ['position'] })
  const where = [sql<boolean>`booked_at > ${bookedSince.toString()}::timestamptz`]
  const booked = await selectRows(context, 'entries', { bank, bban }, { where, order: ['position'] })
  return [
    ...booked,
    ...payments.map((payment) => ({
      ...payment,
      persistent_id: payment.id,
      amount_minor: -payment.amount_minor,
      value_on: payment.execution_on,
      counterparty: payment.creditor_name,
      counterparty_account: payment.bulk_size === null ? payment.creditor : null,
      end_to_end_id: endToEndIdOf(payment),
      parts: null,
      batch_size: payment.bulk_size,
    })),
    ...others.map((other) => ({ ...other, persistent_id: other.id, batch_size: null })),
  ]
}

/** Deletes a pending entry that is due, to be booked. */
export async function deletePendingIfDue(
  { database }: Context,
  id: string,
  dueAt: Temporal.Instant,
): Promise<Selectable<PendingEntryTable> | undefined> {
  return await database.query
    .deleteFrom('pending_entries')
    .where('id', '=', id)
    .where(sql<boolean>`due_at <= ${dueAt.toString()}::timestamptz`)
    .returningAll()
    .executeTakeFirst()
}

/** Makes all incoming pending entries of an account due; returns their number. Payments are not affected. */
export async function makePendingDue(
  { database }: Context,
  { bank, bban }: { readonly bank: string; readonly bban: string },
  now: Temporal.Instant,
): Promise<number> {
  const result = await database.query
    .updateTable('pending_entries')
    .set({ due_at: now.toString() })
    .where('bank', '=', bank)
    .where('bban', '=', bban)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Books an entry that is due; payments that lacked funds are retried. */
export async function bookPending(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const pending = await deletePendingIfDue(context, id, at)
  if (pending === undefined) {
    return
  }
  const { bank, bban } = pending
  const [account] = await lockAccounts(context, [{ bank, bban }])
  if (account !== undefined) {
    const posting = {
      minor: pending.amount_minor,
      day: businessDay(requireBankByBic(context.fixture, bank), at),
      at,
      counterparty: pending.counterparty,
      counterpartyAccount: pending.counterparty_account,
      message: pending.message,
      reference: pending.reference,
      endToEndId: pending.end_to_end_id,
      persistentId: id,
      parts: pending.parts,
    }
    await bookEntries(context, account, [posting])
    await retryUnfunded(context, account, at)
  }
}
