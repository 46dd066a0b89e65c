/** Checks that payrolls can be approved together by the user of the caller's consent. */

import { requirePaymentsAllowed } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { findPayrollOf, findScaExemptPayments, listPayrollOrders, selectPayrollOrders } from '../orders/find-orders.ts'
import { isOpenForSigning, isOutcomeUnknown, type PayrollPayment } from '../orders/payment.ts'
import type { Payroll } from '../orders/payroll.ts'
import { type Approvable, requireAccounts, requireAcknowledged } from '../orders/sign/approvable.ts'
import { mismatchOf } from '../orders/sign/require-payer.ts'
import { requireSubmitted, submissionDeadline } from '../orders/submit/require-submitted.ts'
import { apiError, InvalidRequestError, stateError, type ValidationError } from '../platform/http/errors/api-error.ts'
import { requireNoOpenCancellation } from './cancel-payroll.ts'
import { payrollSummaries } from './payroll-summary.ts'

/** A requested payroll and its path in the request. */
export type RequestedPayroll = { readonly id: string; readonly path: string }

/**
 * Those orders of the payrolls that are to be signed. Waits while transactions are submitted to the bank. Throws 403 for
 * a company that may not pay, 404, 422 at a payroll that cannot be signed, `AUTHENTICATION_TEMPORARY_UNAVAILABLE` if the
 * submission takes too long, 409 while the outcome of an order or of a cancellation is unknown, or `ACCESS_DENIED`.
 */
export async function requireApprovablePayrolls(
  context: Context,
  caller: ConsentCaller,
  requested: readonly RequestedPayroll[],
): Promise<Approvable> {
  await requirePaymentsAllowed(context, caller.consent)
  const payrolls = await Promise.all(requested.map(({ id }) => findPayrollOf(context, caller.partnerId, id)))
  requireOfConsent(caller, payrolls, requested)
  if (payrolls.some(({ submissionMode }) => submissionMode === 'file')) {
    throw apiError(
      'UNSUPPORTED_PRODUCT_BY_BANK',
      'The bank receives this payroll as a file. The company signs it in its online bank',
    )
  }
  // Before anything is submitted as this user: the bank would reject it.
  await requireAccounts(context, caller, payrolls)
  const until = submissionDeadline()
  for (const [n, payroll] of payrolls.entries()) {
    await requireNoOpenCancellation(context, payroll)
    await requireSubmitted(context, caller, payroll, { path: requested[n]?.path ?? '.', until })
  }
  const found = await Promise.all(
    payrolls.map(({ partnerId, id }) => listPayrollOrders(context, { partnerId, payrollId: id })),
  )
  return await approvableOf(context, caller, { requested, payrolls, orders: found.flat() })
}

function requireOfConsent(
  caller: ConsentCaller,
  payrolls: readonly Payroll[],
  requested: readonly RequestedPayroll[],
): void {
  const errors = payrolls.flatMap((payroll, n): readonly ValidationError[] => {
    const reason = mismatchOf(caller, payroll, 'payroll')
    return reason === undefined ? [] : [{ code: 'InvalidRequest', reason, path: requested[n]?.path ?? '.' }]
  })
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
}

type ApprovalCandidates = {
  readonly requested: readonly RequestedPayroll[]
  readonly payrolls: readonly Payroll[]
  readonly orders: readonly PayrollPayment[]
}

/** The orders that remain to be signed; signed or final orders are not among them. */
async function approvableOf(
  context: Context,
  { partnerId }: ConsentCaller,
  { requested, payrolls, orders }: ApprovalCandidates,
): Promise<Approvable> {
  const scaExemptIds = await findScaExemptPayments(context, partnerId, orders)
  const toSign = orders.filter((order) => scaExemptIds.has(order.id) || isOpenForSigning(order))
  const left = new Set(toSign.map(({ ordered }) => ordered.payrollId))
  const unknown = new Set(orders.filter(isOutcomeUnknown).map(({ ordered }) => ordered.payrollId))
  const errors = payrolls.flatMap(({ id, status }, n): readonly ValidationError[] => {
    const cause = unknown.has(id)
      ? 'it is unknown whether the bank has accepted all of it'
      : left.has(id)
        ? null
        : `it is ${status}`
    const reason = `cannot be signed: ${cause}`
    return cause === null ? [] : [stateError(requested[n]?.path ?? '.', reason)]
  })
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
  const pathByPayroll = new Map(requested.map(({ id, path }) => [id, path]))
  const pathByOrder = new Map(toSign.map(({ id, ordered }) => [id, pathByPayroll.get(ordered.payrollId) ?? '.']))
  return {
    payments: toSign.map(requireAcknowledged),
    scaExemptIds,
    pathOf: (id) => pathByOrder.get(id) ?? '.',
    show: (signed) => payrollSummaries(context, payrolls, selectPayrollOrders(signed)),
  }
}
