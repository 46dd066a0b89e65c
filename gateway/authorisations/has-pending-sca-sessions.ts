/** Tells whether anybody signs under a consent, or may be found to have done so. */
import type { Context } from '../context.ts'
import { hasDueUnder } from './store/sca-session-poll-store.ts'

/** Whether a signing of the consent's user is open at the bank, or will be looked at there once more. */
export async function waitsUnder(
  { database }: Pick<Context, 'database'>,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  return await hasDueUnder(database, consent)
}
