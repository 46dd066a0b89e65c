/** The statements on how far a payroll is on its way to its bank: its state, who works on it, and when it is looked at. */
import { type Kysely, sql } from 'kysely'
import type { RowKey } from '../../foundation/due-rows.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { PayrollState } from '../payroll.ts'

/** A change of state, and when the payroll is looked at next; null where nothing is left to do. */
export type StateChange = {
  readonly from: PayrollState
  readonly to: PayrollState
  readonly text: string | null
  readonly workAt: Temporal.Instant | null
}

const raw = (database: Queryable): Kysely<unknown> => database.query

/** Takes the placing of a payroll for this process until a wall time. False when it is placed, or somebody else has it. */
export async function leasePlacing(
  database: Queryable,
  { partnerId, id }: RowKey,
  { real, until }: { readonly real: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    update payrolls set lease_until = ${until.toString()}::timestamptz
    where partner_id = ${partnerId} and id = ${id} and state = 'placing'
      and (lease_until is null or lease_until < ${real.toString()}::timestamptz)
    returning id`.execute(raw(database))
  return rows.length === 1
}

/** Keeps a lease that this process has. */
export async function extendLease(
  database: Queryable,
  { partnerId, id }: RowKey,
  until: Temporal.Instant,
): Promise<void> {
  await sql`
    update payrolls set lease_until = ${until.toString()}::timestamptz
    where partner_id = ${partnerId} and id = ${id}`.execute(raw(database))
}

/** What keeps the rest of a payroll from being placed: what a bank said, or the payroll with an equal payout. */
export type PlacingHindrance = { readonly putOff: string | null; readonly blockedBy: string | null }

/** Gives a lease back; what kept the rest from being placed is told from then on. */
export async function endLease(
  database: Queryable,
  { partnerId, id }: RowKey,
  { putOff, blockedBy }: PlacingHindrance,
): Promise<void> {
  await sql`
    update payrolls set lease_until = null, blocked_by = ${blockedBy}::uuid,
      state_text = case when state = 'placing' then ${putOff}::text else state_text end
    where partner_id = ${partnerId} and id = ${id}`.execute(raw(database))
}

/** Whether a payroll is being placed; it stays so until the transaction ends. */
export async function holdPlacing(transaction: Queryable, { partnerId, id }: RowKey): Promise<boolean> {
  const { rows } = await sql`
    select id from payrolls where partner_id = ${partnerId} and id = ${id} and state = 'placing'
    for share`.execute(raw(transaction))
  return rows.length === 1
}

/** The payroll that keeps another one from being placed. */
export async function findBlocker(database: Queryable, { partnerId, id }: RowKey): Promise<string | null> {
  const { rows } = await sql<{ blockedBy: string | null }>`
    select blocked_by as "blockedBy" from payrolls where partner_id = ${partnerId} and id = ${id}`.execute(
    raw(database),
  )
  return rows[0]?.blockedBy ?? null
}

/** Moves a payroll on. False when it was not in that state any more. */
export async function changeState(
  database: Queryable,
  { partnerId, id }: RowKey,
  { from, to, text, workAt }: StateChange,
): Promise<boolean> {
  const { rows } = await sql`
    update payrolls set state = ${to}, state_text = ${text}, work_at = ${workAt?.toString() ?? null}::timestamptz
    where partner_id = ${partnerId} and id = ${id} and state = ${from}
    returning id`.execute(raw(database))
  return rows.length === 1
}

/** Gives the lease of a look back, and sets when the next one comes unless the payroll has moved on meanwhile. */
export async function postponeWork(
  database: Queryable,
  { partnerId, id }: RowKey,
  { state, workAt }: { readonly state: PayrollState; readonly workAt: Temporal.Instant | null },
): Promise<void> {
  await sql`
    update payrolls set lease_until = null,
      work_at = case when state = ${state} then ${workAt?.toString() ?? null}::timestamptz else work_at end
    where partner_id = ${partnerId} and id = ${id}`.execute(raw(database))
}
