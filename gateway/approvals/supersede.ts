/** Ends older approvals of the same payments whose user has not left for the bank; a live session there is left alone. */
import type { Context } from '../context.ts'
import { refuse } from '../foundation/http/refusal.ts'
import type { Payment } from '../payments/payment.ts'
import { liveSignings } from '../signing/find-signing.ts'
import { endSigning, findAgain, type Standing, settleSigning } from '../signing/settle-signing.ts'
import type { Signing } from '../signing/signing.ts'
import { approvalSigning } from './approval-signing.ts'

/** Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while the user may be signing one of them at the bank. */
export async function supersede(context: Context, partnerId: string, payments: readonly Payment[]): Promise<void> {
  const ids = payments.map(({ id }) => id)
  for (const signing of await liveSignings(context, partnerId, ids)) {
    if ((await endUnlessLeft(context, signing)).at !== 'end') {
      throw refuse(
        'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
        'A user is signing one of these payments at the bank; wait until that has ended',
      )
    }
  }
}

/** A user who leaves for the bank at this moment is quicker, and may sign. */
async function endUnlessLeft(context: Context, signing: Signing): Promise<Standing> {
  if (signing.status !== 'waiting') {
    return await settleSigning(context, approvalSigning(), signing)
  }
  const ended = await endSigning(context, approvalSigning(), signing, 'cancelled')
  return ended ?? (await endUnlessLeft(context, await findAgain(context, signing)))
}
