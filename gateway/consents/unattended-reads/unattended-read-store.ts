/** Every query on the reads of accounts without their user. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

/** What may be read without the user. */
export type ReadKind = 'accounts' | 'balance' | 'entries' | 'details'

/** What is read under a consent; each kind, and each account, has a number of reads of its own. */
export type ReadKey = {
  readonly partnerId: string
  readonly consentId: string
  /** Reads by jobs of ours are counted among the others, and once more by themselves. */
  readonly kind: ReadKind | `${ReadKind} by jobs`
  /** Empty for the list of accounts. */
  readonly stableId: string
}

/** Takes a read of a day; false when the day has seen so many. Another day than the latest begins anew. */
export async function takeRead(
  { query }: Database<unknown>,
  { partnerId, consentId, kind, stableId }: ReadKey,
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

/** How many reads a day has seen. */
export async function readsOn(
  { query }: Database<unknown>,
  { partnerId, consentId, kind, stableId }: ReadKey,
  day: Temporal.PlainDate,
): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select reads from unattended_reads
    where partner_id = ${partnerId} and consent_id = ${consentId} and kind = ${kind} and stable_id = ${stableId}
      and read_on = ${day.toString()}::date`.execute(query)
  return rows[0]?.reads ?? 0
}

/** Gives a read of a day back; one of a day that is over is not missed. */
export async function giveReadBack(
  { query }: Database<unknown>,
  { partnerId, consentId, kind, stableId }: ReadKey,
  day: Temporal.PlainDate,
): Promise<void> {
  await sql`
    update unattended_reads set reads = reads - 1
    where partner_id = ${partnerId} and consent_id = ${consentId} and kind = ${kind} and stable_id = ${stableId}
      and read_on = ${day.toString()}::date and reads > 0`.execute(query)
}

/** Notes that a day has seen so many, whatever was counted here; one of a day that is over matters no more. */
export async function noteUsedUp(
  { query }: Database<unknown>,
  { partnerId, consentId, kind, stableId }: ReadKey,
  { day, reads }: { readonly day: Temporal.PlainDate; readonly reads: number },
): Promise<void> {
  await sql`
    insert into unattended_reads (partner_id, consent_id, kind, stable_id, read_on, reads)
    values (${partnerId}, ${consentId}, ${kind}, ${stableId}, ${day.toString()}::date, ${reads})
    on conflict (partner_id, consent_id, kind, stable_id) do update
      set reads = excluded.reads
      where unattended_reads.read_on = excluded.read_on`.execute(query)
}

/** Forgets up to `limit` reads of days before one, of whichever partner: how many they were. */
export async function forgetReads(
  { query }: Database<unknown>,
  before: Temporal.PlainDate,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from unattended_reads where (partner_id, consent_id, kind, stable_id) in (
      select partner_id, consent_id, kind, stable_id from unattended_reads
      where read_on < ${before.toString()}::date order by read_on limit ${limit} for update skip locked)`.execute(query)
  return Number(numAffectedRows ?? 0n)
}
