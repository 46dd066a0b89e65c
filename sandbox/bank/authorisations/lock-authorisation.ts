/** Locks an authorisation together with its target. */
import type { BankTransaction, Context } from '../context.ts'
import type { PushNotification } from '../push-notifications.ts'
import type { Authorisation } from './authorisation.ts'
import { lockAuthorisation } from './authorisation-store.ts'
import type { ScaTarget } from './sca-target.ts'

/** Both locked until the transaction ends. */
export type LockedAuthorisation = { readonly authorisation: Authorisation; readonly target: ScaTarget }

type AuthorisationKey = Pick<Authorisation, 'id' | 'subject' | 'resource_id'>

/** Locks the target, always before the authorisation; undefined when either was deleted. */
export async function lockAuthorisationWithTarget(
  context: Context,
  transaction: BankTransaction,
  found: AuthorisationKey,
): Promise<LockedAuthorisation | undefined> {
  const target = await context.scaTargets[found.subject](context, transaction, found.resource_id)
  const authorisation = await lockAuthorisation(transaction, found.id)
  return target && authorisation && { authorisation, target }
}

export async function readAuthorisationWithTarget(
  context: Context,
  found: AuthorisationKey,
): Promise<LockedAuthorisation | undefined> {
  return await context.database.query
    .transaction()
    .execute((transaction) => lockAuthorisationWithTarget(context, transaction, found))
}

/** Changes a locked authorisation, and then sends the notifications; undefined when it or its target was deleted. */
export async function changeAuthorisation<Result extends { readonly notifications: readonly PushNotification[] }>(
  context: Context,
  found: AuthorisationKey,
  change: (transaction: BankTransaction, locked: LockedAuthorisation) => Promise<Result>,
): Promise<Result | undefined> {
  const result = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockAuthorisationWithTarget(context, transaction, found)
    return locked && (await change(transaction, locked))
  })
  context.push.send(result?.notifications ?? [])
  return result
}
