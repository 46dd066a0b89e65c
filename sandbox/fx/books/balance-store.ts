/** Every query on balances, the changes to them, and the payments out of them. */
import { sql } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import { insertRow, selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { Payment, Transaction } from '../tables.ts'

type BalanceChange = {
  readonly currency: string
  /** Negative for a debit. */
  readonly minor: bigint
  readonly entity: { readonly type: Transaction['entity_type']; readonly id: string; readonly reference: string }
  readonly action: Transaction['action']
  readonly at: Temporal.Instant
}

/** Payments that waited for funds are due when there are more of them. */
export async function changeBalance(context: Context, change: BalanceChange): Promise<Transaction> {
  const { currency, minor, entity, action, at } = change
  if (minor > 0n) {
    await makePaymentsDue(context, currency, at)
  }
  return await insertRow(context, 'transactions', {
    id: newId(),
    currency,
    amount_minor: minor,
    balance_minor: (await balanceOf(context, currency)) + minor,
    entity_type: entity.type,
    entity_id: entity.id,
    entity_reference: entity.reference,
    action,
    created_at: at,
  })
}

/** In minor units; zero for a currency without any change. */
export async function balanceOf(context: Context, currency: string): Promise<bigint> {
  const newest = { order: ['position'], isDescending: true, limit: 1 } as const
  const [latest] = await selectRows(context, 'transactions', { currency }, newest)
  return latest?.balance_minor ?? 0n
}

/** Payments out of a conversion, completed or not. */
export type PaidOut = {
  readonly paymentIds: readonly string[]
  readonly minor: bigint
  /** The amount that has reached its beneficiaries. */
  readonly completedMinor: bigint
}

export async function sumPaidOut(context: Context, conversionId: string): Promise<PaidOut> {
  const where = [sql<boolean>`status <> 'failed'`]
  const rows = await selectRows(context, 'payments', { conversion_id: conversionId }, { where, order: ['position'] })
  const sumOf = (some: readonly Payment[]) => some.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
  return {
    paymentIds: rows.map(({ id }) => id),
    minor: sumOf(rows),
    completedMinor: sumOf(rows.filter(({ status }) => status === 'completed')),
  }
}

async function makePaymentsDue({ database }: Context, currency: string, at: Temporal.Instant): Promise<void> {
  await sql`
    update payments set due_at = ${at.toString()}
    where currency = ${currency} and status = 'ready_to_send' and due_at is null`.execute(database.query)
}
