/** Joins a request to the open cancellation of the same payroll. */

import { findLatestScaSession } from '../../authorisations/find-sca-sessions.ts'
import type { Cancellation } from '../../cancellations/cancellation.ts'
import { leaseUntil } from '../../cancellations/cancellation-lease.ts'
import { acquireCancellationLease } from '../../cancellations/cancellation-store.ts'
import { endScaSessionOfOtherUser } from '../../cancellations/end-sca-session-of-other-user.ts'
import { consentIdsOfUser } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { currentPayrollCancellation, requirePayrollCancellation } from './get-payroll-cancellation.ts'
import { type PayrollCancellation, payrollCancellationStatusOf } from './payroll-cancellation.ts'
import { type RequestedCancellation, requestPayrollBankCancellations } from './request-payroll-bank-cancellations.ts'
import type { RequestedPayrollCancellation } from './requested-payroll-cancellation.ts'

/** The open cancellation; undefined if it ended without success, so that a new one may start. */
export async function joinPayrollCancellation(
  context: Context,
  requested: RequestedPayrollCancellation,
  open: PayrollCancellation,
): Promise<RequestedCancellation | undefined> {
  if (payrollCancellationStatusOf(open) === 'REQUESTED') {
    return await retryUnanswered(context, requested, open)
  }
  const id = await joinSigning(context, requested, open)
  return id === undefined ? undefined : { id, isUnanswered: false }
}

/** Retries the parts without an answer and without a lease, as the user of this request. */
async function retryUnanswered(
  context: Context,
  requested: RequestedPayrollCancellation,
  open: PayrollCancellation,
): Promise<RequestedCancellation> {
  const orderById = new Map(requested.orders.map((order) => [order.id, order]))
  const times = { real: context.clock.real(), leaseUntil: leaseUntil(context) }
  const claimed: Cancellation[] = []
  for (const part of open.parts.filter(({ status }) => status === 'REQUESTED')) {
    const order = orderById.get(part.paymentId)
    const { bankPaymentId = part.bankPaymentId, signed: wasSigned = part.wasSigned } = order ?? {}
    const claim = { ...part, consentId: requested.caller.consent.id, wasSigned, bankPaymentId }
    if (await acquireCancellationLease(context.database, claim, times)) {
      claimed.push({ ...claim, requestedAt: times.real })
    }
  }
  return await requestPayrollBankCancellations(context, requested, { ...open, parts: claimed }, { isRepeated: true })
}

/** Another user gets authorisations of their own; the session of the first user is ended unless that user is at the bank. */
async function joinSigning(
  context: Context,
  requested: RequestedPayrollCancellation,
  open: PayrollCancellation,
): Promise<string | undefined> {
  await currentPayrollCancellation(context, open)
  const status = payrollCancellationStatusOf(await requirePayrollCancellation(context, open))
  if (status !== 'AUTHORIZATION_REQUIRED') {
    return status === 'REJECTED' ? undefined : open.id
  }
  if ((await consentIdsOfUser(context, requested.caller.consent)).includes(open.consentId)) {
    return open.id
  }
  const { partnerId, id: subjectId } = open
  const session = await findLatestScaSession(context, { partnerId, kind: 'cancellation', subjectId })
  await endScaSessionOfOtherUser(context, session, 'payroll')
  return undefined
}
