/** Every query on what banks put out for us: when it is looked at, what of it was taken, and what is none of ours. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { FileSeen } from '../../banks/file-product.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'

type Instant = ColumnType<Temporal.Instant, string, string>

type Tables = {
  file_looks: { bic: string; look_at: Instant }
  files_left: { bic: string; name: string; version: string; left_at: Instant }
  reports_taken: { bic: string; digest: string; taken_at: Instant }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Takes the look that is due at a bank, until the next one is; false when none is, or somebody else has it. */
export async function claimLook(
  database: Queryable,
  bic: string,
  { now, next }: { readonly now: Temporal.Instant; readonly next: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql<{ bic: string }>`
    insert into file_looks (bic, look_at) values (${bic}, ${next.toString()}::timestamptz)
    on conflict (bic) do update set look_at = excluded.look_at where file_looks.look_at <= ${now.toString()}::timestamptz
    returning bic`.execute(tables(database))
  return rows.length === 1
}

/** Gives a look back before its time is over. */
export async function endLook(database: Queryable, bic: string, next: Temporal.Instant): Promise<void> {
  await tables(database).updateTable('file_looks').set({ look_at: next.toString() }).where('bic', '=', bic).execute()
}

/** Before the version of a file that could not be taken: it is not left, and takes its turn after the others. */
const FAILED = 'failed '

/**
 * Of these files, those that nobody has left as they are: first those that were never tried, in their order, then those
 * that have failed, the longest ago first.
 */
export async function listTurns(
  database: Queryable,
  bic: string,
  files: readonly FileSeen[],
): Promise<readonly FileTurn[]> {
  const names = files.map(({ name }) => name)
  const { rows } = await sql<FileSeen & { leftAt: Temporal.Instant }>`
    select name, version, left_at as "leftAt" from files_left
    where bic = ${bic} and name = any(${names}::text[])`.execute(tables(database))
  const leftByName = new Map(rows.map((row) => [row.name, row]))
  const turns = files.flatMap((file) => {
    const left = leftByName.get(file.name)
    const failedAt = left?.version === FAILED + file.version ? left.leftAt.epochMilliseconds : null
    return left?.version === file.version ? [] : [{ file, failedAt }]
  })
  return turns
    .toSorted((one, other) => (one.failedAt ?? -Infinity) - (other.failedAt ?? -Infinity) || 0)
    .map(({ file, failedAt }) => ({ file, hasFailed: failedAt !== null }))
}

/** A file to be read, and whether that was tried in vain. */
export type FileTurn = { readonly file: FileSeen; readonly hasFailed: boolean }

/** Has a file wait for the others, because it could not be taken. */
export async function noteFailed(
  database: Queryable,
  bic: string,
  { name, version }: FileSeen,
  at: Temporal.Instant,
): Promise<void> {
  await leaveFile(database, bic, { name, version: FAILED + version }, at)
}

/** Leaves a file until it changes. */
export async function leaveFile(
  database: Queryable,
  bic: string,
  { name, version }: FileSeen,
  at: Temporal.Instant,
): Promise<void> {
  const left = { version, left_at: at.toString() }
  await tables(database)
    .insertInto('files_left')
    .values({ bic, name, ...left })
    .onConflict((conflict) => conflict.columns(['bic', 'name']).doUpdateSet(left))
    .execute()
}

/** Whether everything of a report is kept. */
export async function isTaken(database: Queryable, bic: string, digest: string): Promise<boolean> {
  const row = await tables(database)
    .selectFrom('reports_taken')
    .select('digest')
    .where('bic', '=', bic)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes that everything of a report is kept. */
export async function noteTaken(database: Queryable, bic: string, digest: string, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .insertInto('reports_taken')
    .values({ bic, digest, taken_at: at.toString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
