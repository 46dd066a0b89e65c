/** Every query on inbound funds, i.e. money that arrived at providers. */
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { membersOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { DealKey } from './deal.ts'
import { unlessRescheduled } from './deal-transition-store.ts'
import { type HoldReason, type InboundFunds, type InboundFundsState, inboundFundsTransitions } from './inbound-funds.ts'

type StoredFunds = Omit<InboundFunds, 'amount' | 'providerReceiptId'> &
  InboundFunds['amount'] & { readonly providerFundsId: string; readonly leaseUntil: Temporal.Instant | null }

type Tables = { fx_inbound_funds: TableOf<StoredFunds> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** What identifies a receipt. */
export type InboundFundsKey = Pick<InboundFunds, 'partnerId' | 'id'>

/** Inserts a receipt; false when it is stored already. */
export async function insertInboundFunds(
  database: Queryable,
  receipt: InboundFunds,
  dueAt: Temporal.Instant,
): Promise<boolean> {
  const { amount, providerReceiptId: providerFundsId, ...members } = receipt
  const { numInsertedOrUpdatedRows } = await tables(database)
    .insertInto('fx_inbound_funds')
    .values(rowOf({ ...members, ...amount, providerFundsId, dueAt }))
    .onConflict((conflict) => conflict.columns(['provider', 'provider_funds_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Finds one receipt; `lock` holds the row lock until the transaction ends. */
export async function findInboundFunds(
  database: Queryable,
  key: InboundFundsKey,
  { lock = false } = {},
): Promise<InboundFunds | undefined> {
  const found = selectReceipts(database).where(hasKey(key))
  const row = await (lock ? found.forUpdate() : found).executeTakeFirst()
  return row && receiptOf(row)
}

/** The receipts of a deal, oldest first. */
export async function listInboundFundsOfDeal(database: Queryable, deal: DealKey): Promise<readonly InboundFunds[]> {
  const rows = await selectReceipts(database)
    .where('partner_id', '=', deal.partnerId)
    .where('deal_id', '=', deal.id)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  return rows.map(receiptOf)
}

/** Neither used nor returned, as the index of open receipts has it. */
const IS_OPEN = sql<boolean>`state not in ('used', 'returned')`

/** Receipts that are neither used nor returned, of all partners, oldest change first; for operators. */
export async function listOpenInboundFunds(database: Queryable, limit: number): Promise<readonly InboundFunds[]> {
  const rows = await selectReceipts(database).where(IS_OPEN).orderBy('changed_at').limit(limit).execute()
  return rows.map(receiptOf)
}

/** Finds one receipt of any partner; for operators. */
export async function findInboundFundsOfAnyPartner(database: Queryable, id: string): Promise<InboundFunds | undefined> {
  const row = await selectReceipts(database).where('id', '=', id).executeTakeFirst()
  return row && receiptOf(row)
}

/** Counts receipts that are neither used nor returned. */
export async function countOpenInboundFunds(database: Queryable): Promise<number> {
  const row = await tables(database)
    .selectFrom('fx_inbound_funds')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where(IS_OPEN)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Columns that change along with the state; those not given stay as they are, except `dueAt`, which becomes null. */
export type InboundFundsChange = {
  readonly state: InboundFundsState
  readonly at: Temporal.Instant
  readonly reason?: HoldReason | null
  readonly dealId?: string | null
  readonly dueAt?: Temporal.Instant | null
  /** Another idempotency key: the provider creates another payout, whatever the outcome of an earlier one. */
  readonly returnId?: string
}

const NO_FAILURES = { attempts: 0, failing_since: null, lease_until: null }

/** Changes the state; false when it, or the return, has changed since the receipt was read. Throws if the transition is not allowed. */
export async function writeInboundFunds(
  database: Queryable,
  receipt: InboundFunds,
  next: InboundFundsChange,
): Promise<boolean> {
  if (!inboundFundsTransitions[receipt.state].includes(next.state)) {
    throw new Error(`Receipt ${receipt.id} cannot change from ${receipt.state} to ${next.state}`)
  }
  const { at, ...change } = next
  const { numUpdatedRows } = await tables(database)
    .updateTable('fx_inbound_funds')
    .set({
      ...rowOf({ dueAt: null, ...change, changedAt: at }),
      ...NO_FAILURES,
      // The payout of an earlier attempt is not that of the new key.
      ...(change.returnId === undefined ? {} : { payout_id: null }),
    })
    .where(hasKey(receipt))
    .where(isUnchanged(receipt))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records the payout that returns the funds, and when to poll it. */
export async function writeFundsReturnOrdered(
  database: Queryable,
  receipt: InboundFunds,
  { payoutId, dueAt }: { readonly payoutId: string; readonly dueAt: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .updateTable('fx_inbound_funds')
    .set({ payout_id: payoutId, due_at: unlessRescheduled('due_at', receipt.dueAt, dueAt), ...NO_FAILURES })
    .where(hasKey(receipt))
    .where(isUnchanged(receipt))
    .execute()
}

/** Reschedules a receipt unless its state or its return has changed since it was read. */
export async function postponeInboundFunds(
  database: Queryable,
  receipt: InboundFunds,
  next: Pick<InboundFunds, 'attempts' | 'failingSince' | 'dueAt'>,
): Promise<void> {
  await tables(database)
    .updateTable('fx_inbound_funds')
    .set({
      ...rowOf({ attempts: next.attempts, failingSince: next.failingSince, leaseUntil: null }),
      due_at: unlessRescheduled('due_at', receipt.dueAt, next.dueAt),
    })
    .where(hasKey(receipt))
    .where(isUnchanged(receipt))
    .execute()
}

/** What is learned about one return is not recorded of the next one. */
function isUnchanged({ state, returnId }: InboundFunds): RawBuilder<boolean> {
  return sql<boolean>`state = ${state} and return_id is not distinct from ${returnId}::uuid`
}

/** Makes receipts due that waited for the booking of their deal. */
export async function rescheduleEarlyFunds(database: Queryable, deal: DealKey, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('fx_inbound_funds')
    .set({ due_at: at.toString() })
    .where('partner_id', '=', deal.partnerId)
    .where('deal_id', '=', deal.id)
    .where('state', '=', 'held')
    .where('reason', '=', 'early')
    .execute()
}

/** Makes the receipt due now that a provider's notification names by our id; no effect if nothing is scheduled. */
export async function makeNotifiedReturnDue(database: Queryable, id: string, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('fx_inbound_funds')
    .set({ due_at: at.toString() })
    .where('return_id', '=', id)
    .where('due_at', 'is not', null)
    .execute()
}

function selectReceipts(database: Queryable) {
  return tables(database).selectFrom('fx_inbound_funds').selectAll()
}

function receiptOf(row: Selectable<Tables['fx_inbound_funds']>): InboundFunds {
  const { minor, currency, providerFundsId: providerReceiptId, leaseUntil: _lease, ...receipt } = membersOf(row)
  return { ...receipt, providerReceiptId, amount: { minor, currency } }
}
