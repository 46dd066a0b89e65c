/** Tells whether payments are followed that were made under a consent: reading them may take its tokens. */
import type { Context } from '../../context.ts'
import { hasPolledUnder } from './payment-polling-store.ts'

/** Whether any of them is to be read at its bank again. */
export async function isFollowedUnder(
  { database }: Pick<Context, 'database'>,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  return await hasPolledUnder(database, consent)
}
