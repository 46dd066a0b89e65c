/** Abandons a cancellation whose user does not come back to sign it: the payment stays as it is. */
import { requireOrdersOfConsent } from '../approvals/require-orders-of-consent.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { abandonSigning } from '../signing/abandon-signing.ts'
import type { Signing } from '../signing/signing.ts'
import { cancellationSigning } from './cancellation-signing.ts'
import { paymentOf } from './end-cancellation.ts'
import { requireAnswered, requireCancellation, signingOf } from './show-cancellation.ts'

/** Throws 404, `ACCESS_DENIED`, 409 where it was signed or carried out, or what asking the bank throws: then nothing is abandoned. */
export async function abandonCancellation(context: Context, caller: ConsentCaller, id: string): Promise<undefined> {
  const cancellation = await requireCancellation(context, caller.partnerId, id)
  await requireOrdersOfConsent(context, caller, [await paymentOf(context, cancellation)])
  requireAnswered(cancellation)
  await abandonOf(context, await signingOf(context, cancellation))
  const { status } = await requireCancellation(context, caller.partnerId, id)
  // A bank that has forgotten an authorisation tells by the order that its cancellation was signed.
  if (status === 'ACCEPTED' || (await paymentOf(context, cancellation)).status === 'Cancelled') {
    throw refuse('conflict', 'The cancellation was carried out, and not abandoned: read the status of the payment')
  }
  return undefined
}

/** Where there is a signing. Throws 409 when any of it was signed. */
export async function abandonOf(context: Context, signing: Signing | undefined): Promise<void> {
  const signed = signing && (await abandonSigning(context, cancellationSigning(), signing))
  if (signed !== undefined && signed.length > 0) {
    throw refuse('conflict', 'The cancellation was signed at the bank, and not abandoned: read what became of it')
  }
}
