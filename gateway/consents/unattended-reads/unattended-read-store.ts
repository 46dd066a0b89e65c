/** Holds the queries on account reads without the user. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { executePrepared } from '../../platform/database/in-transaction.ts'
import type { BatchRange } from '../../platform/jobs/batch-purge.ts'

/** What may be read without the user. */
export type UnattendedReadKind = 'accounts' | 'balance' | 'entries' | 'details'

/** What is read under a consent; each kind and each account has its own quota. */
export type UnattendedReadKey = {
  readonly partnerId: string
  readonly consentId: string
  /** Reads by our jobs are counted both in the total and separately. */
  readonly kind: UnattendedReadKind | `${UnattendedReadKind} by jobs`
  /** Empty for the list of accounts. */
  readonly stableId: string
}

/** Reserves a read of a day; false when the quota is used up. A new day resets the counter. */
export async function reserveUnattendedRead(
  { query }: Database<unknown>,
  { partnerId, consentId, kind, stableId }: UnattendedReadKey,
  { day, readsMax }: { readonly day: Temporal.PlainDate; readonly readsMax: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into unattended_reads as r (partner_id, consent_id, kind, stable_id, read_on, reads)
    select ${partnerId}::uuid, ${consentId}::uuid, ${kind}, ${stableId}, ${day.toString()}::date, 1
    where ${readsMax}::int > 0
    on conflict (partner_id, consent_id, kind, stable_id) do update
      set read_on = excluded.read_on, reads = case when r.read_on = excluded.read_on then r.reads + 1 else 1 end
      where r.read_on <> excluded.read_on or r.reads < ${readsMax}::int
    returning reads`.execute(query)
  return rows.length === 1
}

/** The number of reads on a day. */
export async function countUnattendedReadsOn(
  { query }: Database<unknown>,
  { partnerId, consentId, kind, stableId }: UnattendedReadKey,
  day: Temporal.PlainDate,
): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select reads from unattended_reads
    where partner_id = ${partnerId} and consent_id = ${consentId} and kind = ${kind} and stable_id = ${stableId}
      and read_on = ${day.toString()}::date`.execute(query)
  return rows[0]?.reads ?? 0
}

/** Releases a reserved read; no effect once the day is over. */
export async function releaseUnattendedRead(
  { query }: Database<unknown>,
  { partnerId, consentId, kind, stableId }: UnattendedReadKey,
  day: Temporal.PlainDate,
): Promise<void> {
  await sql`
    update unattended_reads set reads = reads - 1
    where partner_id = ${partnerId} and consent_id = ${consentId} and kind = ${kind} and stable_id = ${stableId}
      and read_on = ${day.toString()}::date and reads > 0`.execute(query)
}

/** Records that the bank reported the quota of a day as exhausted; no effect once the day is over. */
export async function recordReadQuotaExhausted(
  { query }: Database<unknown>,
  { partnerId, consentId, kind, stableId }: UnattendedReadKey,
  { day, reads }: { readonly day: Temporal.PlainDate; readonly reads: number },
): Promise<void> {
  await sql`
    insert into unattended_reads (partner_id, consent_id, kind, stable_id, read_on, reads)
    values (${partnerId}, ${consentId}, ${kind}, ${stableId}, ${day.toString()}::date, ${reads})
    on conflict (partner_id, consent_id, kind, stable_id) do update
      set reads = excluded.reads
      where unattended_reads.read_on = excluded.read_on`.execute(query)
}

/** Deletes some counters of days before `before`, of all partners, and returns their number. */
export async function purgeUnattendedReads(
  database: Database<unknown>,
  before: Temporal.PlainDate,
  { limit, offset }: BatchRange,
): Promise<number> {
  const statement = sql`
    delete from unattended_reads where (partner_id, consent_id, kind, stable_id) in (
      select partner_id, consent_id, kind, stable_id from unattended_reads
      where read_on < ${before.toString()}::date order by read_on, partner_id, consent_id, kind, stable_id
      limit ${limit} offset ${offset} for update skip locked)`
  const { numAffectedRows } = await executePrepared(database, statement)
  return Number(numAffectedRows ?? 0n)
}
