/** Locks an authorisation together with its target. */
import { findRow } from '../../rows.ts'
import { type Context, inTransaction } from '../context.ts'
import type { Authorisation } from './authorisation.ts'
import type { ScaTarget } from './sca-target.ts'

/** Both locked until the transaction ends. */
export type LockedAuthorisation = { readonly authorisation: Authorisation; readonly target: ScaTarget }

type AuthorisationKey = Pick<Authorisation, 'id' | 'subject' | 'resource_id'>

/** Locks the target, always before the authorisation; undefined when either was deleted. */
export async function lockAuthorisationWithTarget(
  context: Context,
  found: AuthorisationKey,
): Promise<LockedAuthorisation | undefined> {
  const target = await context.scaTargets[found.subject](context, found.resource_id)
  const authorisation = await findRow(context, 'authorisations', { id: found.id }, { lock: true })
  return target && authorisation && { authorisation, target }
}

export async function readAuthorisationWithTarget(
  context: Context,
  found: AuthorisationKey,
): Promise<LockedAuthorisation | undefined> {
  return await inTransaction(context, (context) => lockAuthorisationWithTarget(context, found))
}

/** Changes a locked authorisation; undefined when it or its target was deleted. */
export async function changeAuthorisation<Result>(
  context: Context,
  found: AuthorisationKey,
  change: (context: Context, locked: LockedAuthorisation) => Promise<Result>,
): Promise<Result | undefined> {
  return await inTransaction(context, async (context) => {
    const locked = await lockAuthorisationWithTarget(context, found)
    return locked && (await change(context, locked))
  })
}
