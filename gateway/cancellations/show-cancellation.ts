/** Shows a cancellation to the partner that asked for it. */
import type { CancellationRequestStatus, Cancellation as CancellationShown } from '../../contract/cancellations.ts'
import type { Sca } from '../../contract/sca.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { shownStatus } from '../orders/payment.ts'
import { outcomeUnknown, refuse } from '../platform/http/errors/api-error.ts'
import { latestSigning } from '../signing/find-signing.ts'
import { scaOf } from '../signing/present-code.ts'
import { settleIfStale } from '../signing/settle-signing.ts'
import type { Signing } from '../signing/signing.ts'
import type { Cancellation } from './cancellation.ts'
import { cancellationSigning } from './cancellation-signing.ts'
import { findCancellation } from './cancellation-store.ts'
import { paymentOf } from './end-cancellation.ts'

/** A cancellation, and how its user signs it for as long as that is open. */
export type Standing = { readonly cancellation: Cancellation; readonly sca?: Sca | undefined }

/** One cancellation; while its user may be at the bank, the bank is asked first, once a second at most. */
export async function showCancellation(
  context: Context,
  { partnerId }: ConsentCaller,
  id: string,
): Promise<CancellationShown> {
  const cancellation = await requireCancellation(context, partnerId, id)
  return await shownCancellation(context, await standingOf(context, cancellation))
}

/** The cancellation of a payment as it was last recorded. Throws 404. */
export async function requireCancellation(context: Context, partnerId: string, id: string): Promise<Cancellation> {
  const cancellation = await findCancellation(context.database, { partnerId, id: id.toLowerCase() })
  if (cancellation === undefined || cancellation.payrollCancellationId !== null) {
    throw refuse('not-found', 'There is no cancellation with this id')
  }
  return cancellation
}

/** The cancellation as it stands now, with what its user needs to sign it. */
export async function standingOf(context: Context, cancellation: Cancellation): Promise<Standing> {
  const signing = await signingOf(context, cancellation)
  if (cancellation.status !== 'AUTHORIZATION_REQUIRED' || signing === undefined) {
    return { cancellation }
  }
  const standing = await settleIfStale(context, cancellationSigning(), signing)
  const kept = (await findCancellation(context.database, cancellation)) ?? cancellation
  return { cancellation: kept, ...(standing.at === 'end' ? {} : await scaOf(context, cancellationSigning(), signing)) }
}

/** As partners see it. Throws 503 while the bank's answer is not known. */
export async function shownCancellation(context: Context, { cancellation, sca }: Standing): Promise<CancellationShown> {
  const { id, reason } = cancellation
  const status = requireAnswered(cancellation)
  return {
    id,
    ...(sca === undefined ? {} : { sca }),
    cancellationRequestStatus: status,
    currentPaymentStatus: shownStatus(await paymentOf(context, cancellation)),
    reason,
  }
}

const ASK_AGAIN_SECONDS = 10

/** What partners see of its status. Throws 503 while the bank's answer is not known. */
export function requireAnswered({ paymentId, status }: Cancellation): CancellationRequestStatus {
  if (status === 'ASKED') {
    const detail = 'it may or may not cancel the payment. Ask again in a moment; nothing is cancelled twice'
    throw outcomeUnknown({ paymentId }, detail, ASK_AGAIN_SECONDS)
  }
  return status
}

/** The signing of a cancellation that its user has to sign. */
export async function signingOf(context: Context, { partnerId, id }: Cancellation): Promise<Signing | undefined> {
  return await latestSigning(context, { partnerId, kind: 'cancellation', subjectId: id })
}
