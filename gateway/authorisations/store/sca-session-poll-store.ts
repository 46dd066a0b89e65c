/** The statements that say when a signing is looked at again. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { UNDECIDED } from '../../signing/signing.ts'
import { type SigningKey, signingTables } from './sca-session-tables.ts'

/** When the signing is due by it; and, in wall time, when it came, and since when another one makes it count for nothing. */
type Hint = {
  readonly dueAt: Temporal.Instant
  readonly at: Temporal.Instant
  readonly quietSince: Temporal.Instant
}

/** Brings the next read of a signing forward, because somebody hinted that something changed: not if that was so since `quietSince`. */
export async function hastenSigning(
  database: Database<unknown>,
  key: SigningKey,
  { dueAt, at, quietSince }: Hint,
): Promise<void> {
  await signingTables(database)
    .updateTable('signings')
    .set({ due_at: dueAt.toString(), hinted_at: at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'left')
    .where(sql<boolean>`(hinted_at is null or hinted_at <= ${quietSince.toString()})`)
    .where(sql<boolean>`due_at > ${dueAt.toString()}`)
    .execute()
}

/** Says when the bank was last asked, and when it is to be asked again; the lease of a sweep stays, whoever asked. */
export async function markSigningRead(
  database: Database<unknown>,
  key: SigningKey,
  read: { readonly at: Temporal.Instant; readonly dueAt: Temporal.Instant },
): Promise<void> {
  await signingTables(database)
    .updateTable('signings')
    .set({ read_at: read.at.toString(), due_at: read.dueAt.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', 'in', UNDECIDED)
    .execute()
}

/** Has a signing that could not be read, or told to its room, looked at again later. */
export async function postponeSigning(
  database: Database<unknown>,
  key: SigningKey,
  dueAt: Temporal.Instant,
): Promise<void> {
  await signingTables(database)
    .updateTable('signings')
    .set({ due_at: dueAt.toString(), lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '<>', 'ended')
    .execute()
}

/** Gives the lease of a sweep back; that is for the sweep which took it, and nobody else. */
export async function releaseSigning(database: Database<unknown>, key: SigningKey): Promise<void> {
  await signingTables(database)
    .updateTable('signings')
    .set({ lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}

/** Whether a signing of a consent's user waits at the bank; the consent's own signing ended with it. */
export async function hasDueUnder(
  database: Database<unknown>,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  const found = await signingTables(database)
    .selectFrom('signings')
    .select('id')
    .where('place', '=', consent.bic)
    .where('due_at', 'is not', null)
    .where('partner_id', '=', consent.partnerId)
    .where('consent_id', '=', consent.id)
    .where('kind', '<>', 'consent')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether it has ended, and is still looked at for a signature that the bank took late. */
export async function isToLookAtLate(database: Database<unknown>, { partnerId, id }: SigningKey): Promise<boolean> {
  const found = await signingTables(database)
    .selectFrom('signings')
    .select('id')
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where('status', '=', 'ended')
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}
