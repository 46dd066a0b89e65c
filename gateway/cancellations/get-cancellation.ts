/** Returns a cancellation to the partner that requested it. */
import type { CancellationRequestStatus, Cancellation as CancellationResponse } from '../../contract/cancellations.ts'
import type { Sca } from '../../contract/sca.ts'
import { requireSameCompany } from '../approvals/require-orders-of-consent.ts'
import { findLatestScaSession } from '../authorisations/find-sca-sessions.ts'
import { getScaForPartner } from '../authorisations/get-qr-code.ts'
import { refreshScaSessionIfStale } from '../authorisations/refresh-sca-session.ts'
import type { ScaSession } from '../authorisations/sca-session.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { renderPaymentStatus } from '../orders/payment.ts'
import { apiError, outcomeUnknown } from '../platform/http/errors/api-error.ts'
import type { Cancellation } from './cancellation.ts'
import { cancellationScaSubject } from './cancellation-sca-subject.ts'
import { findCancellation } from './cancellation-store.ts'
import { paymentOf } from './complete-cancellation.ts'

/** A cancellation with the SCA data of its user, as long as it waits for a signature. */
export type CurrentCancellation = { readonly cancellation: Cancellation; readonly sca?: Sca | undefined }

/** While the user may be signing, the bank is polled first, at most once a second. Throws 404, `ACCESS_DENIED`, or 503 for an unknown outcome. */
export async function getCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<CancellationResponse> {
  const cancellation = await requireCancellation(context, caller.partnerId, id)
  requireSameCompany(caller, [await paymentOf(context, cancellation)])
  return await renderCancellation(context, await currentCancellation(context, cancellation))
}

/** The cancellation of a payment, as stored. Throws 404. */
export async function requireCancellation(context: Context, partnerId: string, id: string): Promise<Cancellation> {
  const cancellation = await findCancellation(context.database, { partnerId, id: id.toLowerCase() })
  if (cancellation === undefined || cancellation.payrollCancellationId !== null) {
    throw apiError('not-found', 'There is no cancellation with this id')
  }
  return cancellation
}

/** The current state, with the SCA data that the user needs to sign. */
export async function currentCancellation(context: Context, cancellation: Cancellation): Promise<CurrentCancellation> {
  const session = await scaSessionOf(context, cancellation)
  if (cancellation.status !== 'AUTHORIZATION_REQUIRED' || session === undefined) {
    return { cancellation }
  }
  const sessionState = await refreshScaSessionIfStale(context, cancellationScaSubject, session)
  const stored = (await findCancellation(context.database, cancellation)) ?? cancellation
  return {
    cancellation: stored,
    ...(sessionState.at === 'end' ? {} : await getScaForPartner(context, cancellationScaSubject, session)),
  }
}

/** The response to partners. Throws 503 while the bank's answer is unknown. */
export async function renderCancellation(
  context: Context,
  { cancellation, sca }: CurrentCancellation,
): Promise<CancellationResponse> {
  const { id, reason } = cancellation
  const status = requireAnswered(cancellation)
  return {
    id,
    ...(sca === undefined ? {} : { sca }),
    cancellationRequestStatus: status,
    currentPaymentStatus: renderPaymentStatus(await paymentOf(context, cancellation)),
    reason,
  }
}

const RETRY_AFTER_SECONDS = 10

/** The status for partners. Throws 503 while the bank's answer is unknown. */
export function requireAnswered({ paymentId, status }: Cancellation): CancellationRequestStatus {
  if (status === 'REQUESTED') {
    const detail = 'it may or may not cancel the payment. Repeat the request in a moment; nothing is cancelled twice'
    throw outcomeUnknown({ paymentId }, detail, RETRY_AFTER_SECONDS)
  }
  return status
}

/** The latest SCA session of a cancellation. */
export async function scaSessionOf(context: Context, { partnerId, id }: Cancellation): Promise<ScaSession | undefined> {
  return await findLatestScaSession(context, { partnerId, kind: 'cancellation', subjectId: id })
}
