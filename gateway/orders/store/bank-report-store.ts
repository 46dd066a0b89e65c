/** Queries on bank reports: poll leases, processed reports, and skipped files. */
import { sql } from 'kysely'
import type { ListedFile } from '../../banks/connector/file-product.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'

/** Acquires the due poll of a bank until `next`; returns false if none is due or another process has it. */
export async function acquireReportPollLease(
  database: Queryable,
  bic: string,
  { now, next }: { readonly now: Temporal.Instant; readonly next: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql<{ bic: string }>`
    insert into bank_file_polls (bic, next_poll_at) values (${bic}, ${timestamp(next)})
    on conflict (bic) do update set next_poll_at = excluded.next_poll_at where bank_file_polls.next_poll_at <= ${timestamp(now)}
    returning bic`.execute(database.query)
  return rows.length === 1
}

/** Releases the poll lease before its time is over. */
export async function releaseReportPollLease({ query }: Queryable, bic: string, next: Temporal.Instant): Promise<void> {
  await sql`update bank_file_polls set next_poll_at = ${timestamp(next)} where bic = ${bic}`.execute(query)
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
  { query }: Queryable,
  bic: string,
  { name, version }: ListedFile,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into bank_files_skipped (bic, name, version, skipped_at) values (${bic}, ${name}, ${version}, ${timestamp(at)})
    on conflict (bic, name) do update set version = excluded.version, skipped_at = excluded.skipped_at`.execute(query)
}

export async function isReportProcessed({ query }: Queryable, bic: string, digest: string): Promise<boolean> {
  const { rows } = await sql`
    select digest from bank_reports_processed where bic = ${bic} and digest = ${digest}`.execute(query)
  return rows.length > 0
}

export async function recordReportProcessed(
  { query }: Queryable,
  bic: string,
  digest: string,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into bank_reports_processed (bic, digest, processed_at) values (${bic}, ${digest}, ${timestamp(at)})
    on conflict do nothing`.execute(query)
}
