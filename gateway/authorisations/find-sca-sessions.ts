/** Finds SCA sessions: by id, by what they sign, by a URL whose token proves that it is the user's link or the bank's. */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { executePrepared } from '../platform/database/in-transaction.ts'
import { linkTokenOf } from '../platform/http/pages/opened-link.ts'
import { hashToken, isId } from '../platform/ids.ts'
import type { ScaSession, ScaSubjectType } from './sca-session.ts'
import { type ScaSessionKey, scaSessionTables, selectScaSessions, sessionsOf } from './store/sca-session-tables.ts'

/** One session, by partner and id. */
export async function findScaSession(
  { database }: Context,
  { partnerId, id }: ScaSessionKey,
): Promise<ScaSession | undefined> {
  const statement = selectScaSessions(scaSessionTables(database))
    .where('s.partner_id', '=', partnerId)
    .where('s.id', '=', id)
  return sessionsOf((await executePrepared(database, statement)).rows)[0]
}

/** The session as stored now. Throws if it does not exist. */
export async function reloadScaSession(context: Context, session: ScaSessionKey): Promise<ScaSession> {
  const stored = await findScaSession(context, session)
  if (stored === undefined) {
    throw new Error(`SCA session ${session.id} does not exist`)
  }
  return stored
}

/** The latest session of a consent or an approval. */
export async function findLatestScaSession(
  { database }: Context,
  subject: { readonly partnerId: string; readonly kind: ScaSubjectType; readonly subjectId: string },
): Promise<ScaSession | undefined> {
  const rows = await selectScaSessions(scaSessionTables(database))
    .where('s.partner_id', '=', subject.partnerId)
    .where('s.id', '=', (query) =>
      query
        .selectFrom('sca_sessions as latest')
        .select('latest.id')
        .where('latest.partner_id', '=', subject.partnerId)
        .where('latest.kind', '=', subject.kind)
        .where('latest.subject_id', '=', subject.subjectId)
        .orderBy('latest.id', 'desc')
        .limit(1),
    )
    .execute()
  return sessionsOf(rows)[0]
}

/** Sessions that have not ended, or ended ones that the bank may still accept a signature for. */
export type TargetSessions = 'open' | 'signable late'

/** Sessions of these targets. */
export async function findScaSessionsOf(
  { database }: Context,
  partnerId: string,
  targetIds: readonly string[],
  which: TargetSessions,
): Promise<readonly ScaSession[]> {
  const ofTargets = selectScaSessions(scaSessionTables(database))
    .where('s.partner_id', '=', partnerId)
    .where('s.id', 'in', (query) =>
      query
        .selectFrom('sca_steps as of')
        .select('of.sca_session_id')
        .where('of.partner_id', '=', partnerId)
        .where('of.target_id', 'in', [...targetIds]),
    )
  const found =
    which === 'open'
      ? ofTargets.where('s.status', '<>', 'ended')
      : ofTargets.where('s.status', '=', 'ended').where('s.due_at', 'is not', null)
  return sessionsOf(await found.execute())
}

/**
 * Whether a session of the consent's user is open at the bank, or is polled for a late signature. The consent's own
 * session ended with it.
 */
export async function hasPendingScaSessions(
  { database }: Context,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  const found = await scaSessionTables(database)
    .selectFrom('sca_sessions')
    .select('id')
    .where('sca_provider', '=', consent.bic)
    .where('due_at', 'is not', null)
    .where('partner_id', '=', consent.partnerId)
    .where('consent_id', '=', consent.id)
    .where('kind', '<>', 'consent')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The parameters of the URLs of a session. */
export type ScaSessionUrlParams = { readonly partnerId: string; readonly scaSessionId: string; readonly token: string }

/** The session of a user's link, or undefined when the token does not match. */
export async function findScaSessionByLink(
  context: Context,
  address: ScaSessionUrlParams,
): Promise<ScaSession | undefined> {
  const session = await findByUrlParams(context, address)
  return session !== undefined && matchesTokenHash(linkTokenOf(address.token), session.linkHash) ? session : undefined
}

/** The session that a bank returns the browser to, or undefined when the token matches none of its steps. */
export async function findScaSessionByReturn(
  context: Context,
  address: ScaSessionUrlParams,
): Promise<ScaSession | undefined> {
  const session = await findByUrlParams(context, address)
  const isReturn = session?.steps.some(
    ({ returnHash }) => returnHash !== null && matchesTokenHash(address.token, returnHash),
  )
  return isReturn === true ? session : undefined
}

async function findByUrlParams(
  context: Context,
  { partnerId, scaSessionId }: ScaSessionUrlParams,
): Promise<ScaSession | undefined> {
  const isPlausible = isId(partnerId) && isId(scaSessionId)
  return isPlausible ? await findScaSession(context, { partnerId, id: scaSessionId }) : undefined
}

function matchesTokenHash(token: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(hash))
}
