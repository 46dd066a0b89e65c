/** Checks whether SCA sessions under a consent are pending. */
import type { Context } from '../context.ts'
import { hasDueScaSessions } from './store/sca-session-poll-store.ts'

/** Whether a session of the consent's user is open at the bank, or is polled for a late signature. */
export async function hasPendingScaSessions(
  { database }: Pick<Context, 'database'>,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  return await hasDueScaSessions(database, consent)
}
