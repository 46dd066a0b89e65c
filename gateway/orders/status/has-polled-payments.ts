/** Queries whether payments under a consent are still polled, which may require its tokens. */
import type { Context } from '../../context.ts'
import { existsPolledPayment } from '../store/payment-polling-store.ts'

export async function hasPolledPayments(
  { database }: Context,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  return await existsPolledPayment(database, consent)
}
