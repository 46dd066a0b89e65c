/** Leases of rows: a column says until when, in wall time, one process works on a row and all others leave it alone. */
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { ProgramContext } from '../program-context.ts'

/** A lease that is taken now. Its end is stored in the row, which shows who holds it. */
export type Lease = { readonly at: Temporal.Instant; readonly until: Temporal.Instant }

/** A row by the columns of its key, and the column of its lease. */
export type LeasableRow = {
  readonly table: string
  readonly key: Readonly<Record<string, string | number>>
  readonly column?: string
}

/** What is written together with a lease, and what must hold as well: both are part of the one statement. */
export type LeaseStatement = {
  readonly set?: Readonly<Record<string, unknown>>
  readonly where?: RawBuilder<boolean>
}

/** A database or a transaction, whatever its tables. */
type Connection = { readonly query: QueryExecutorProvider }

const COLUMN = 'lease_until'

/** The lease that a process takes now; it must be longer than the work may take. */
export function leaseFor({ clock }: Pick<ProgramContext, 'clock'>, duration: Temporal.DurationLike): Lease {
  const at = clock.real()
  return { at, until: at.add(duration) }
}

/** The condition that no process works on a row; `at` is now, by a process or by the database. */
export function isUnleased(at: Temporal.Instant | RawBuilder<unknown>, column: string = COLUMN): RawBuilder<boolean> {
  const now = at instanceof Temporal.Instant ? sql`${at.toString()}::timestamptz` : at
  return sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} < ${now})`
}

/** The condition that this lease is still the one of the row. */
export function isHeld({ until }: Pick<Lease, 'until'>, column: string = COLUMN): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = ${until.toString()}::timestamptz`
}

/** Takes the lease of a row; false while another process holds it, or when the row does not meet the condition. */
export async function takeLease(
  { query }: Connection,
  row: LeasableRow,
  { at, until }: Lease,
  { set = {}, where = sql<boolean>`true` }: LeaseStatement = {},
): Promise<boolean> {
  const { column = COLUMN } = row
  const { numAffectedRows } = await sql`
    update ${sql.table(row.table)} set ${assignments({ ...set, [column]: until.toString() })}
    where ${isRow(row)} and ${isUnleased(at, column)} and ${where}`.execute(query)
  return numAffectedRows === 1n
}

/** Releases the lease of a row; given the lease that was taken, only while it is still the one of the row. */
export async function releaseLease(
  { query }: Connection,
  row: LeasableRow,
  { held, set = {}, where = sql<boolean>`true` }: LeaseStatement & { readonly held?: Lease } = {},
): Promise<void> {
  const { column = COLUMN } = row
  const isStillHeld = held === undefined ? sql`true` : isHeld(held, column)
  await sql`
    update ${sql.table(row.table)} set ${assignments({ ...set, [column]: null })}
    where ${isRow(row)} and ${isStillHeld} and ${where}`.execute(query)
}

function assignments(values: Readonly<Record<string, unknown>>): RawBuilder<unknown> {
  return sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))
}

function isRow({ key }: LeasableRow): RawBuilder<unknown> {
  return sql.join(
    Object.entries(key).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    sql` and `,
  )
}
