/** Queries on bank reports: poll leases, processed reports, and skipped files. */
import { type Kysely, sql } from 'kysely'
import type { ListedFile } from '../../banks/connector/file-product.ts'
import type { TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'

type Tables = {
  bank_file_polls: TableOf<{ bic: string; nextPollAt: Temporal.Instant }>
  bank_files_skipped: TableOf<{ bic: string; name: string; version: string; skippedAt: Temporal.Instant }>
  bank_reports_processed: TableOf<{ bic: string; digest: string; processedAt: Temporal.Instant }>
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Acquires the due poll of a bank until `next`; returns false if none is due or another process has it. */
export async function acquireReportPollLease(
  database: Queryable,
  bic: string,
  { now, next }: { readonly now: Temporal.Instant; readonly next: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql<{ bic: string }>`
    insert into bank_file_polls (bic, next_poll_at) values (${bic}, ${next.toString()}::timestamptz)
    on conflict (bic) do update set next_poll_at = excluded.next_poll_at where bank_file_polls.next_poll_at <= ${now.toString()}::timestamptz
    returning bic`.execute(database.query)
  return rows.length === 1
}

/** Releases the poll lease before its time is over. */
export async function releaseReportPollLease(database: Queryable, bic: string, next: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('bank_file_polls')
    .set({ next_poll_at: next.toString() })
    .where('bic', '=', bic)
    .execute()
}

/** Prefix of the stored version of a file that failed: it is retried after the others, not skipped. */
const FAILED = 'failed '

/**
 * Of these files, those that are not skipped: first those never tried, in listed order, then those that failed, oldest
 * failure first.
 */
export async function listUnprocessedFiles(
  database: Queryable,
  bic: string,
  files: readonly ListedFile[],
): Promise<readonly UnprocessedFile[]> {
  const names = files.map(({ name }) => name)
  const { rows } = await sql<ListedFile & { leftAt: Temporal.Instant }>`
    select name, version, skipped_at as "leftAt" from bank_files_skipped
    where bic = ${bic} and name = any(${names}::text[])`.execute(database.query)
  const skippedByName = new Map(rows.map((row) => [row.name, row]))
  const candidates = files.flatMap((file) => {
    const skipped = skippedByName.get(file.name)
    const failedAt = skipped?.version === FAILED + file.version ? skipped.leftAt.epochMilliseconds : null
    return skipped?.version === file.version ? [] : [{ file, failedAt }]
  })
  return candidates
    .toSorted((one, other) => (one.failedAt ?? -Infinity) - (other.failedAt ?? -Infinity) || 0)
    .map(({ file, failedAt }) => ({ file, hasFailed: failedAt !== null }))
}

/** A file to be read, and whether reading it failed before. */
export type UnprocessedFile = { readonly file: ListedFile; readonly hasFailed: boolean }

/** Records that a file could not be processed; it is retried after the others. */
export async function recordFileFailure(
  database: Queryable,
  bic: string,
  { name, version }: ListedFile,
  at: Temporal.Instant,
): Promise<void> {
  await skipFile(database, bic, { name, version: FAILED + version }, at)
}

/** Skips a file until its version changes. */
export async function skipFile(
  database: Queryable,
  bic: string,
  { name, version }: ListedFile,
  at: Temporal.Instant,
): Promise<void> {
  const skipped = { version, skipped_at: at.toString() }
  await tables(database)
    .insertInto('bank_files_skipped')
    .values({ bic, name, ...skipped })
    .onConflict((conflict) => conflict.columns(['bic', 'name']).doUpdateSet(skipped))
    .execute()
}

export async function isReportProcessed(database: Queryable, bic: string, digest: string): Promise<boolean> {
  const row = await tables(database)
    .selectFrom('bank_reports_processed')
    .select('digest')
    .where('bic', '=', bic)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row !== undefined
}

export async function recordReportProcessed(
  database: Queryable,
  bic: string,
  digest: string,
  at: Temporal.Instant,
): Promise<void> {
  await tables(database)
    .insertInto('bank_reports_processed')
    .values({ bic, digest, processed_at: at.toString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
