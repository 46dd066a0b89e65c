/** Locks an authorisation together with its target. */
import type { BankTransaction, Context } from '../context.ts'
import type { Authorisation } from './authorisation.ts'
import { lockAuthorisation } from './authorisation-store.ts'
import type { ScaTarget } from './sca-target.ts'

/** Both locked until the transaction ends. */
export type LockedAuthorisation = { readonly authorisation: Authorisation; readonly target: ScaTarget }

/** Locks the target, always before the authorisation; undefined when either was deleted. */
export async function lockAuthorisationWithTarget(
  context: Context,
  transaction: BankTransaction,
  found: Pick<Authorisation, 'id' | 'subject' | 'resource_id'>,
): Promise<LockedAuthorisation | undefined> {
  const target = await context.scaTargets[found.subject](context, transaction, found.resource_id)
  const authorisation = await lockAuthorisation(transaction, found.id)
  return target && authorisation && { authorisation, target }
}
