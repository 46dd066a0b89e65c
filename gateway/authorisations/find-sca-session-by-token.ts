/** Finds the SCA session of a URL, whose token proves that it is the user's link, the bank's return URL or a notification. */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { hashToken, isId } from '../platform/ids.ts'
import { scaNotificationTokenOf } from './authorisation/start-step-authorisation.ts'
import type { ScaSession, ScaStep } from './sca-session.ts'
import { findScaSession } from './store/sca-session-store.ts'

/** The parameters of such a URL. */
export type ScaSessionUrlParams = { readonly partnerId: string; readonly scaSessionId: string; readonly token: string }

/** The session of a user's link, or undefined when the token does not match. */
export async function findScaSessionByLink(
  context: Context,
  address: ScaSessionUrlParams,
): Promise<ScaSession | undefined> {
  const session = await findByUrlParams(context, address)
  return session !== undefined && matchesTokenHash(address.token, session.linkHash) ? session : undefined
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

/** The session and step of a bank's notification, or undefined when the token matches no step. */
export async function findScaSessionByNotification(
  context: Context,
  address: ScaSessionUrlParams,
): Promise<{ readonly session: ScaSession; readonly step: ScaStep } | undefined> {
  const session = await findByUrlParams(context, address)
  const hash = hashToken(address.token)
  const step = session?.steps.find(
    ({ returnHash }) => returnHash !== null && matchesTokenHash(scaNotificationTokenOf(returnHash), hash),
  )
  return session === undefined || step === undefined ? undefined : { session, step }
}

async function findByUrlParams(
  context: Context,
  { partnerId, scaSessionId }: ScaSessionUrlParams,
): Promise<ScaSession | undefined> {
  const isPlausible = isId(partnerId) && isId(scaSessionId)
  return isPlausible ? await findScaSession(context.database, { partnerId, id: scaSessionId }) : undefined
}

function matchesTokenHash(token: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(hash))
}
