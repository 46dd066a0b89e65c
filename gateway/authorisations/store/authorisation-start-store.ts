/** The statements by which one at a time begins the authorisation of a step: the bank would end what was begun before. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { SigningStep } from '../../signing/signing.ts'
import type { StepBegun } from '../authorisation/start-step-authorisation.ts'
import { lockSigning, whileUndecided } from './sca-session-end-store.ts'
import { type SigningKey, signingTables } from './sca-session-tables.ts'

/** A step as it was read by whoever would begin it. */
type StepSeen = Pick<SigningStep, 'position' | 'state' | 'authorisationId'>

/**
 * Claims a step that still is as it was read; false while somebody else is beginning it. Renewals are counted here: one
 * whose answer was lost is an order at the bank, too.
 */
export async function claimBeginning(
  database: Database<unknown>,
  key: SigningKey,
  { position, state, authorisationId }: StepSeen,
  { at, until }: { readonly at: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<boolean> {
  const isClaimed = await whileUndecided(database, key, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('signing_steps')
      .set((column) => ({
        beginning_until: until.toString(),
        ...(state === 'open' ? { renewals: column('renewals', '+', 1) } : {}),
      }))
      .where('partner_id', '=', key.partnerId)
      .where('signing_id', '=', key.id)
      .where('position', '=', position)
      .where('state', '=', state)
      .where('authorisation_id', 'is not distinct from', authorisationId)
      .where(sql<boolean>`(beginning_until is null or beginning_until <= ${at.toString()})`)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  })
  return isClaimed === true
}

/** Gives a claim back that came to nothing. */
export async function releaseBeginning(
  database: Database<unknown>,
  key: SigningKey,
  { position }: Pick<SigningStep, 'position'>,
  until: Temporal.Instant,
): Promise<void> {
  await signingTables(database)
    .updateTable('signing_steps')
    .set({ beginning_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('signing_id', '=', key.id)
    .where('position', '=', position)
    .where(sql<boolean>`beginning_until = ${until.toString()}`)
    .execute()
}

/** What was begun under which claim. */
type BegunUnder = { readonly begun: StepBegun; readonly until: Temporal.Instant }

/** Whoever goes to the bank anew may send somebody else there: how the browser came back from the step before says nothing. */
const UNTRUSTED = { trusted_at: null, trusted_by: null, confirm_hash: null } as const

/** Opens a pending step; false, and nothing happens, when the claim is no longer ours, or the signing is decided. */
export async function markStepOpen(
  database: Database<unknown>,
  key: SigningKey,
  { position }: Pick<SigningStep, 'position'>,
  { begun, until, expiresAt }: BegunUnder & { readonly expiresAt: Temporal.Instant },
): Promise<boolean> {
  const isOpen = await whileUndecided(database, key, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('signing_steps')
      .set(columnsOf(begun))
      .where('partner_id', '=', key.partnerId)
      .where('signing_id', '=', key.id)
      .where('position', '=', position)
      .where('state', '=', 'pending')
      .where(sql<boolean>`beginning_until = ${until.toString()}`)
      .executeTakeFirst()
    if (numUpdatedRows === 1n) {
      await transaction
        .updateTable('signings')
        .set({ expires_at: expiresAt.toString(), ...(begun.way === 'redirect' ? UNTRUSTED : {}) })
        .where('partner_id', '=', key.partnerId)
        .where('id', '=', key.id)
        .execute()
    }
    return numUpdatedRows === 1n
  })
  return isOpen === true
}

/** Puts another authorisation in the place of one that lapsed; its time ends when that of the first would have. */
export async function markStepRenewed(
  database: Database<unknown>,
  key: SigningKey,
  { position }: Pick<SigningStep, 'position'>,
  { begun, until }: BegunUnder,
): Promise<boolean> {
  const isRenewed = await whileUndecided(database, key, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('signing_steps')
      .set({ ...columnsOf(begun), brought_hash: null })
      .where('partner_id', '=', key.partnerId)
      .where('signing_id', '=', key.id)
      .where('position', '=', position)
      .where('state', '=', 'open')
      .where(sql<boolean>`beginning_until = ${until.toString()}`)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  })
  return isRenewed === true
}

/**
 * Keeps what began at the bank while the signing was being ended: nobody goes on with it here, but an app may show it
 * to its user, and whoever looks finds it, late if need be. False when the claim is no longer ours.
 */
export async function keepBegunLate(
  database: Database<unknown>,
  key: SigningKey,
  { position }: Pick<SigningStep, 'position'>,
  { begun, until, lookLateAt }: BegunUnder & { readonly lookLateAt: Temporal.Instant | null },
): Promise<boolean> {
  return await signingTables(database)
    .transaction()
    .execute(async (transaction) => {
      const signing = await lockSigning(transaction, key)
      const { numUpdatedRows } = await transaction
        .updateTable('signing_steps')
        .set({ ...columnsOf(begun), state: 'open' })
        .where('partner_id', '=', key.partnerId)
        .where('signing_id', '=', key.id)
        .where('position', '=', position)
        .where('state', 'in', ['pending', 'open', 'cancelled'])
        .where(sql<boolean>`beginning_until = ${until.toString()}`)
        .executeTakeFirst()
      const isKept = signing !== undefined && numUpdatedRows === 1n
      if (isKept && signing.status === 'ended' && lookLateAt !== null) {
        await transaction
          .updateTable('signings')
          .set({ due_at: lookLateAt.toString() })
          .where('partner_id', '=', key.partnerId)
          .where('id', '=', key.id)
          .execute()
      }
      return isKept
    })
}

function columnsOf(begun: StepBegun) {
  return {
    state: begun.state,
    authorisation_id: begun.authorisationId,
    way: begun.way,
    redirect_sealed: begun.redirectSealed,
    text_sealed: begun.textSealed,
    code_sealed: begun.codeSealed,
    return_secret_sealed: begun.returnSecretSealed,
    return_hash: begun.returnHash,
    started_at: begun.startedAt.toString(),
    ended_at: null,
    beginning_until: null,
  }
}
