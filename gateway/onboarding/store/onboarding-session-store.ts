/** Queries on browser sessions of the hosted onboarding flow. */

import type { Context } from '../../context.ts'
import { columnsOf, rowOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { OnboardingKey } from './onboarding.ts'
import type { OnboardingSession } from './onboarding-session.ts'
import { identificationPurpose } from './onboarding-signer.ts'
import { onboardingTables } from './onboarding-tables.ts'

const SESSION = columnsOf('partnerId', 'id', 'onboardingId', 'signerId', 'tokenHash', 'trustedAt', 'expiresAt')

/** Inserts a session; a double click finds it already stored. */
export async function insertSession(
  database: Queryable,
  session: OnboardingSession,
  createdAt: Temporal.Instant,
): Promise<void> {
  await onboardingTables(database)
    .insertInto('onboarding_sessions')
    .values(rowOf({ ...session, createdAt }))
    .onConflict((conflict) => conflict.columns(['partner_id', 'token_hash']).doNothing())
    .execute()
}

/** The session with this token; undefined when it has expired by wall time. */
export async function findSession(
  database: Queryable,
  { partnerId, onboardingId, tokenHash }: Pick<OnboardingSession, 'partnerId' | 'onboardingId' | 'tokenHash'>,
  real: Temporal.Instant,
): Promise<OnboardingSession | undefined> {
  const session = await onboardingTables(database)
    .selectFrom('onboarding_sessions')
    .select(SESSION)
    .where('partner_id', '=', partnerId)
    .where('onboarding_id', '=', onboardingId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return session !== undefined && Temporal.Instant.compare(real, session.expiresAt) < 0 ? session : undefined
}

/** Allows the session to read personal data. */
export async function trustSession(
  database: Queryable,
  { partnerId, id }: Pick<OnboardingSession, 'partnerId' | 'id'>,
  at: Temporal.Instant,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboarding_sessions')
    .set(rowOf({ trustedAt: at }))
    .where(hasKey({ partnerId, id }))
    .where('trusted_at', 'is', null)
    .execute()
}

/**
 * Records that the user has identified: the session may read personal data, under a new token. False when the session
 * has ended meanwhile.
 */
export async function trustIdentifiedSession(
  database: Queryable,
  session: Pick<OnboardingSession, 'partnerId' | 'id' | 'tokenHash'>,
  { at, tokenHash }: Pick<OnboardingSession, 'tokenHash'> & { readonly at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboarding_sessions')
    .set(rowOf({ identifiedAt: at, tokenHash }))
    .where(hasKey(session))
    .where('token_hash', '=', session.tokenHash)
    .executeTakeFirst()
  await trustSession(database, session, at)
  return numUpdatedRows === 1n
}

/** Sessions of the company's link: those whose users have identified, or those whose users have not. */
type CompanySessions = { readonly areIdentified: boolean; readonly exceptId?: string | undefined }

/** Cancels trust: after that only an identification gives it. Who has identified in a session is not stored. */
export async function distrustSessions(
  database: Queryable,
  { partnerId, id }: OnboardingKey,
  { areIdentified, exceptId }: CompanySessions,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboarding_sessions')
    .set({ trusted_at: null })
    .where('partner_id', '=', partnerId)
    .where('onboarding_id', '=', id)
    .where('signer_id', 'is', null)
    .where('identified_at', areIdentified ? 'is not' : 'is', null)
    .where('id', 'is distinct from', exceptId ?? null)
    .execute()
}

/** Deletes the sessions of a link that was revoked: that of a signer, or the company's (null). */
export async function endSessions(
  database: Queryable,
  { partnerId, id }: OnboardingKey,
  signerId: string | null,
): Promise<void> {
  await onboardingTables(database)
    .deleteFrom('onboarding_sessions')
    .where('partner_id', '=', partnerId)
    .where('onboarding_id', '=', id)
    .where('signer_id', 'is not distinct from', signerId)
    .execute()
}

/** An identification that waits for its callback. */
type PendingIdentification = { readonly identityProvider: string; readonly secret: string }
type SessionKey = Pick<OnboardingSession, 'partnerId' | 'id'>

/** Stores the identification in place of an earlier one, or puts it back unless there is a later one. `startedAt` is wall time. */
export async function saveIdentification(
  { database, seal }: Context,
  { partnerId, id: sessionId }: SessionKey,
  { secret, ...begun }: PendingIdentification & { readonly startedAt: Temporal.Instant },
  isPutBack = false,
): Promise<void> {
  const columns = rowOf({ ...begun, secretSealed: seal.seal(secret, identificationPurpose(partnerId, sessionId)) })
  await onboardingTables(database)
    .insertInto('onboarding_identifications')
    .values({ partner_id: partnerId, session_id: sessionId, ...columns })
    .onConflict((conflict) => {
      const pending = conflict.columns(['partner_id', 'session_id'])
      return isPutBack ? pending.doNothing() : pending.doUpdateSet(columns)
    })
    .execute()
}

/** Deletes and returns the identification: each callback is handled once. */
export async function consumeIdentification(
  { database, seal }: Context,
  { partnerId, id: sessionId }: SessionKey,
): Promise<PendingIdentification | undefined> {
  const row = await onboardingTables(database)
    .deleteFrom('onboarding_identifications')
    .where('partner_id', '=', partnerId)
    .where('session_id', '=', sessionId)
    .returning(columnsOf('identityProvider', 'secretSealed'))
    .executeTakeFirst()
  return (
    row && {
      identityProvider: row.identityProvider,
      secret: seal.open(row.secretSealed, identificationPurpose(partnerId, sessionId)),
    }
  )
}
