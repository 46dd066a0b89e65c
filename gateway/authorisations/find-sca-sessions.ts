/** Finds SCA sessions for the modules that own their targets. */
import type { Context } from '../context.ts'
import type { ScaSession, ScaSubjectType } from './sca-session.ts'
import { hasDueScaSessions } from './store/sca-session-poll-store.ts'
import {
  findLatestScaSessionOf,
  listOpenScaSessions,
  listSessionsAwaitingLateSignature,
} from './store/sca-session-store.ts'

/** The latest session of a consent or an approval. */
export async function findLatestScaSession(
  { database }: Context,
  subject: { readonly partnerId: string; readonly kind: ScaSubjectType; readonly subjectId: string },
): Promise<ScaSession | undefined> {
  return await findLatestScaSessionOf(database, subject.partnerId, subject.kind, subject.subjectId)
}

/** Ended sessions of these targets that the bank may still accept a signature for. */
export async function findSessionsAwaitingLateSignature(
  { database }: Context,
  partnerId: string,
  targetIds: readonly string[],
): Promise<readonly ScaSession[]> {
  return await listSessionsAwaitingLateSignature(database, partnerId, targetIds)
}

/** Sessions of these targets that have not ended. */
export async function findOpenScaSessions(
  { database }: Context,
  partnerId: string,
  targetIds: readonly string[],
): Promise<readonly ScaSession[]> {
  return await listOpenScaSessions(database, partnerId, targetIds)
}

/** Whether a session of the consent's user is open at the bank, or is polled for a late signature. */
export async function hasPendingScaSessions(
  { database }: Context,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  return await hasDueScaSessions(database, consent)
}
