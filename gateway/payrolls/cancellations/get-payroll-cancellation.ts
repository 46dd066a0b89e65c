/** Returns a cancellation of a payroll to the partner that requested it. */
import type { PayrollCancellation as PayrollCancellationResponse } from '../../../contract/payrolls/payroll-approval-operations.ts'
import type { Sca } from '../../../contract/sca.ts'
import { requireSameCompany } from '../../approvals/require-orders-of-consent.ts'
import { findLatestScaSession } from '../../authorisations/find-sca-sessions.ts'
import { getScaForPartner } from '../../authorisations/get-qr-code.ts'
import { refreshScaSessionIfStale } from '../../authorisations/refresh-sca-session.ts'
import { cancellationScaSubject } from '../../cancellations/cancellation-sca-subject.ts'
import { listCancellationsOfPayroll } from '../../cancellations/cancellation-store.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { requirePayroll } from '../../orders/require-payroll.ts'
import { apiError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import {
  type PayrollCancellation,
  payrollCancellationReasonOf,
  payrollCancellationStatusOf,
} from './payroll-cancellation.ts'
import { findPayrollCancellationRow } from './payroll-cancellation-store.ts'

/** A cancellation with the SCA data of its user, as long as it waits for a signature. */
export type CurrentPayrollCancellation = {
  readonly payrollCancellation: PayrollCancellation
  readonly sca?: Sca | undefined
}

const RETRY_AFTER_SECONDS = 10

/** While the user may be signing, the bank is polled first, at most once a second. Throws 404 or `ACCESS_DENIED`. */
export async function getPayrollCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<PayrollCancellationResponse> {
  const { partnerId } = caller
  const payrollCancellation = await requirePayrollCancellation(context, { partnerId, id: id.toLowerCase() })
  requireSameCompany(caller, [await requirePayroll(context, partnerId, payrollCancellation.payrollId)])
  return await renderPayrollCancellation(context, await currentPayrollCancellation(context, payrollCancellation))
}

/** A cancellation with its parts, as stored. Throws 404. */
export async function requirePayrollCancellation(
  { database }: Context,
  key: Pick<PayrollCancellation, 'partnerId' | 'id'>,
): Promise<PayrollCancellation> {
  const payrollCancellation = await findPayrollCancellationRow(database, key)
  if (payrollCancellation === undefined) {
    throw apiError('not-found', 'There is no cancellation with this id')
  }
  return { ...payrollCancellation, parts: await listCancellationsOfPayroll(database, key) }
}

/** The current state, with the SCA data that the user needs to sign. */
export async function currentPayrollCancellation(
  context: Context,
  payrollCancellation: PayrollCancellation,
): Promise<CurrentPayrollCancellation> {
  const { partnerId, id: subjectId } = payrollCancellation
  const session = await findLatestScaSession(context, { partnerId, kind: 'cancellation', subjectId })
  if (session === undefined || !payrollCancellation.parts.some(({ status }) => status === 'AUTHORIZATION_REQUIRED')) {
    return { payrollCancellation }
  }
  const sessionState = await refreshScaSessionIfStale(context, cancellationScaSubject, session)
  const stored = await requirePayrollCancellation(context, payrollCancellation)
  return {
    payrollCancellation: stored,
    ...(sessionState.at === 'end' ? {} : await getScaForPartner(context, cancellationScaSubject, session)),
  }
}

/** The response to partners: the status, or the progress until the bank has answered for every order. */
export async function renderPayrollCancellation(
  context: Context,
  { payrollCancellation, sca }: CurrentPayrollCancellation,
): Promise<PayrollCancellationResponse> {
  const { id, partnerId, payrollId } = payrollCancellation
  const status = payrollCancellationStatusOf(payrollCancellation)
  const payroll = await requirePayroll(context, partnerId, payrollId)
  return {
    id,
    ...(sca?.type === 'redirect' ? { sca } : {}),
    ...(status === 'REQUESTED' ? {} : { cancellationRequestStatus: status }),
    currentPayrollStatus: payroll.status,
    reason: payrollCancellationReasonOf(payrollCancellation),
    ...(status === 'REQUESTED' ? { progress: progressOf(payrollCancellation) } : {}),
  }
}

function progressOf({ parts }: PayrollCancellation): { readonly answered: number; readonly orders: number } {
  return { answered: parts.filter(({ status }) => status !== 'REQUESTED').length, orders: parts.length }
}

/** Throws 503 while the bank's answer on some of the orders is unknown. */
export function requirePayrollCancellationAnswered(payrollCancellation: PayrollCancellation): void {
  const { payrollId } = payrollCancellation
  if (payrollCancellationStatusOf(payrollCancellation) === 'REQUESTED') {
    const { answered, orders } = progressOf(payrollCancellation)
    const detail =
      `it has answered for ${answered} of ${orders} orders of the payroll. Repeat the request in a moment; nothing ` +
      'is cancelled twice'
    throw outcomeUnknown({ payrollId }, detail, RETRY_AFTER_SECONDS)
  }
}
