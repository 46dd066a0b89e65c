/** Every query on money that arrived at providers. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { DealKey } from '../deals/deal.ts'
import { type HoldReason, type Receipt, type ReceiptState, receiptMayBecome } from './inbound-funds.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type MaybeText = ColumnType<string | null, string | null | undefined, string | null>

type Tables = {
  fx_receipts: {
    partner_id: string
    id: string
    provider: string
    provider_receipt_id: string
    currency: string
    minor: bigint
    reference: string | null
    received_at: Instant
    quote_id: MaybeText
    deal_id: MaybeText
    state: ReceiptState
    reason: ColumnType<HoldReason | null, HoldReason | null | undefined, HoldReason | null>
    created_at: Instant
    changed_at: Instant
    return_id: MaybeText
    payout_id: MaybeText
    failing_since: MaybeInstant
    attempts: ColumnType<number, number | undefined, number>
    due_at: MaybeInstant
    lease_until: MaybeInstant
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** What identifies a receipt. */
export type ReceiptKey = Pick<Receipt, 'partnerId' | 'id'>

/** Keeps what arrived; false when it was kept before. */
export async function insertReceipt(database: Queryable, receipt: Receipt, dueAt: Temporal.Instant): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(database)
    .insertInto('fx_receipts')
    .values({
      partner_id: receipt.partnerId,
      id: receipt.id,
      provider: receipt.provider,
      provider_receipt_id: receipt.providerReceiptId,
      currency: receipt.amount.currency,
      minor: receipt.amount.minor,
      reference: receipt.reference,
      received_at: receipt.receivedAt.toString(),
      quote_id: receipt.quoteId,
      state: receipt.state,
      created_at: receipt.createdAt.toString(),
      changed_at: receipt.changedAt.toString(),
      due_at: dueAt.toString(),
    })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_receipt_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** One receipt; `lock` keeps everybody else from changing it until the transaction ends. */
export async function findReceipt(
  database: Queryable,
  key: ReceiptKey,
  { lock = false } = {},
): Promise<Receipt | undefined> {
  const found = selectReceipts(database).where('partner_id', '=', key.partnerId).where('id', '=', key.id)
  const row = await (lock ? found.forUpdate() : found).executeTakeFirst()
  return row && receiptOf(row)
}

/** What arrived for a deal, oldest first. */
export async function listReceiptsOf(database: Queryable, deal: DealKey): Promise<readonly Receipt[]> {
  const rows = await selectReceipts(database)
    .where('partner_id', '=', deal.partnerId)
    .where('deal_id', '=', deal.id)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  return rows.map(receiptOf)
}

/** What is neither used nor sent back, oldest change first, across partners; for operators. */
export async function listOpenReceipts(database: Queryable, limit: number): Promise<readonly Receipt[]> {
  const rows = await selectReceipts(database)
    .where(sql<boolean>`state not in ('used', 'returned')`)
    .orderBy('changed_at')
    .limit(limit)
    .execute()
  return rows.map(receiptOf)
}

/** One receipt whoever's it is; for operators. */
export async function findReceiptOfAnybody(database: Queryable, id: string): Promise<Receipt | undefined> {
  const row = await selectReceipts(database).where('id', '=', id).executeTakeFirst()
  return row && receiptOf(row)
}

/** How many are neither used nor sent back. */
export async function countOpenReceipts(database: Queryable): Promise<number> {
  const row = await tables(database)
    .selectFrom('fx_receipts')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where(sql<boolean>`state not in ('used', 'returned')`)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** What changes with the state; what is not given stays as it is, but for the due time, which is none then. */
export type ReceiptChange = {
  readonly state: ReceiptState
  readonly at: Temporal.Instant
  readonly reason?: HoldReason | null
  readonly dealId?: string | null
  readonly dueAt?: Temporal.Instant | null
  /** Asks the provider for a payout of its own, whatever became of one before. */
  readonly returnId?: string
}

/** Moves a receipt that is locked, or was read in the state that it still is in; false when it is not. */
export async function writeReceipt(database: Queryable, receipt: Receipt, next: ReceiptChange): Promise<boolean> {
  if (!receiptMayBecome[receipt.state].includes(next.state)) {
    throw new Error(`Receipt ${receipt.id} is ${receipt.state}, after which it is never ${next.state}`)
  }
  const { numUpdatedRows } = await tables(database)
    .updateTable('fx_receipts')
    .set({
      state: next.state,
      changed_at: next.at.toString(),
      due_at: next.dueAt?.toString() ?? null,
      attempts: 0,
      failing_since: null,
      lease_until: null,
      ...(next.reason === undefined ? {} : { reason: next.reason }),
      ...(next.dealId === undefined ? {} : { deal_id: next.dealId }),
      ...(next.returnId === undefined ? {} : { return_id: next.returnId, payout_id: null }),
    })
    .where('partner_id', '=', receipt.partnerId)
    .where('id', '=', receipt.id)
    .where('state', '=', receipt.state)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const UNTROUBLED = { attempts: 0, failing_since: null, lease_until: null }

/** Keeps by which payout it is sent back, and when that is looked at. */
export async function writeReturnOrdered(
  database: Queryable,
  receipt: Receipt,
  { payoutId, dueAt }: { readonly payoutId: string; readonly dueAt: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .updateTable('fx_receipts')
    .set({ payout_id: payoutId, due_at: unlessHastened(receipt, dueAt), ...UNTROUBLED })
    .where('partner_id', '=', receipt.partnerId)
    .where('id', '=', receipt.id)
    .where('state', '=', 'returning')
    .execute()
}

/** Has a receipt seen to at another time. */
export async function postponeReceipt(
  database: Queryable,
  receipt: Receipt,
  next: Pick<Receipt, 'attempts' | 'failingSince'> & { readonly dueAt: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .updateTable('fx_receipts')
    .set({
      attempts: next.attempts,
      failing_since: next.failingSince?.toString() ?? null,
      due_at: unlessHastened(receipt, next.dueAt),
      lease_until: null,
    })
    .where('partner_id', '=', receipt.partnerId)
    .where('id', '=', receipt.id)
    .where('state', '=', receipt.state)
    .execute()
}

/** What a provider told meanwhile is seen to at once. */
function unlessHastened({ dueAt }: Receipt, next: Temporal.Instant) {
  const read = dueAt?.toString() ?? null
  return sql<string>`case when due_at is not distinct from ${read}::timestamptz
    then ${next.toString()}::timestamptz else due_at end`
}

/** Has what came before its deal was known judged again, now that it is. */
export async function judgeReceiptsAnew(database: Queryable, deal: DealKey, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('fx_receipts')
    .set({ due_at: at.toString() })
    .where('partner_id', '=', deal.partnerId)
    .where('deal_id', '=', deal.id)
    .where('state', '=', 'held')
    .where('reason', '=', 'early')
    .execute()
}

/** Has a receipt seen to now that a provider tells of by our id. */
export async function hastenNoticedReceipt(database: Queryable, id: string, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('fx_receipts')
    .set({ due_at: at.toString() })
    .where('return_id', '=', id)
    .where('state', '=', 'returning')
    .execute()
}

function selectReceipts(database: Queryable) {
  return tables(database).selectFrom('fx_receipts').selectAll()
}

type ReceiptRow = Awaited<ReturnType<ReturnType<typeof selectReceipts>['executeTakeFirstOrThrow']>>

function receiptOf(row: ReceiptRow): Receipt {
  return {
    partnerId: row.partner_id,
    id: row.id,
    provider: row.provider,
    providerReceiptId: row.provider_receipt_id,
    amount: { minor: row.minor, currency: row.currency },
    reference: row.reference,
    receivedAt: row.received_at,
    quoteId: row.quote_id,
    dealId: row.deal_id,
    state: row.state,
    reason: row.reason,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    returnId: row.return_id,
    payoutId: row.payout_id,
    failingSince: row.failing_since,
    attempts: row.attempts,
    dueAt: row.due_at,
  }
}
