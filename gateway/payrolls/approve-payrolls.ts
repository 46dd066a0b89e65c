/** Approves payrolls: checks that they can be approved together, starts the approval, and shows its result. */
import type {
  PayrollApprovalRequest,
  PayrollApproval as PayrollApprovalResponse,
} from '../../contract/payrolls/payroll-approval-operations.ts'
import { preferredApproachOf } from '../banks/connector/bank.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { requirePaymentsAllowed } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import {
  findOrdersOf,
  findPayrollOf,
  findScaExemptPayments,
  listPayrollOrders,
  selectPayrollOrders,
} from '../orders/find-orders.ts'
import { isOpenForSigning, isOutcomeUnknown, type PayrollPayment } from '../orders/payment.ts'
import type { Payroll } from '../orders/payroll.ts'
import {
  type Approvable,
  mismatchOf,
  requireAccounts,
  requireAcknowledged,
  SIGNATURE_NOT_SHOWN,
} from '../orders/sign/approvable.ts'
import { maxBasketSizeOf, requireWithinApprovalLimit, statusOfResults } from '../orders/sign/approval.ts'
import { type ApprovalParameters, type ApprovalResult, beginApproval } from '../orders/sign/begin-approval.ts'
import { currentApproval } from '../orders/sign/get-approval.ts'
import { requireSubmitted, submissionDeadline } from '../orders/submit/require-submitted.ts'
import { apiError, InvalidRequestError, stateError, type ValidationError } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { requireNoOpenCancellation } from './cancel-payroll.ts'
import { payrollSummaries } from './payroll-summary.ts'

/** The user of the caller's consent signs, who need not be the one who ordered the payrolls. */
export async function approvePayrolls(
  context: Context,
  caller: ConsentCaller,
  request: PayrollApprovalRequest,
): Promise<PayrollApprovalResponse> {
  const started = await beginPayrollApproval(context, caller, {
    bank: await requireBank(context.banks, caller.consent.bic),
    id: newId(),
    callbackUrl: request.callbackUrl,
    preferred: preferredApproachOf(request.preferredScaMethod),
    payrolls: requestedPayrolls(request),
  })
  return await renderPayrollApproval(context, started)
}

/** Which payrolls are to be approved, at which bank, and the URL to which the user returns. */
export type PayrollApprovalParameters = Pick<
  ApprovalParameters,
  'bank' | 'id' | 'callbackUrl' | 'preferred' | 'within'
> & {
  readonly payrolls: readonly RequestedPayroll[]
}

/**
 * Starts an approval over all orders of payrolls that the user may sign now. Embedded and decoupled SCA take place on our
 * page behind the link, whatever was preferred: the API has no other field.
 */
export async function beginPayrollApproval(
  context: Context,
  caller: ConsentCaller,
  { payrolls, ...parameters }: PayrollApprovalParameters,
): Promise<ApprovalResult> {
  const findApprovable = () => requireApprovablePayrolls(context, caller, payrolls)
  const found = await findApprovable()
  const paths = found.payments.map(({ id }) => found.pathOf(id))
  requireWithinApprovalLimit(paths, maxBasketSizeOf(context, parameters.bank))
  return await beginApproval(context, caller, {
    ...parameters,
    codeForPartner: false,
    found,
    findAgain: findApprovable,
  })
}

/** A list takes precedence over a single payroll. */
function requestedPayrolls({ payrolls, payrollId }: PayrollApprovalRequest): readonly RequestedPayroll[] {
  if (payrolls !== undefined) {
    return payrolls.map((id, n) => ({ id: id.toLowerCase(), path: `.payrolls[${n}]` }))
  }
  return payrollId === undefined ? [] : [{ id: payrollId.toLowerCase(), path: '.payrollId' }]
}

/** Throws 404, or `ACCESS_DENIED` for a consent at another bank or of another company. */
export async function getPayrollApproval(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<PayrollApprovalResponse> {
  const { approval, sca } = await currentApproval(context, caller, id, 'payrolls')
  return await renderPayrollApproval(context, { approval, sca })
}

/** Banks do not report how many signatures a payroll order needs. */
async function renderPayrollApproval(
  context: Context,
  { approval, sca }: Pick<ApprovalResult, 'approval' | 'sca'>,
): Promise<PayrollApprovalResponse> {
  const { partnerId, payments } = approval
  const resultById = new Map(payments.map(({ paymentId, result }) => [paymentId, result]))
  const orders = selectPayrollOrders(await findOrdersOf(context, partnerId, payments))
  const ordersByPayroll = Map.groupBy(orders, ({ ordered }) => ordered.payrollId)
  const payrolls = await Promise.all([...ordersByPayroll.keys()].map((id) => findPayrollOf(context, partnerId, id)))
  const resultsOf = (payrollId: string) =>
    (ordersByPayroll.get(payrollId) ?? []).map(({ id }) => resultById.get(id) ?? 'STARTED')
  return {
    id: approval.id,
    status: approval.status,
    ...(sca?.type === 'redirect' ? { sca } : {}),
    payrolls: payrolls.map(({ id, status }) => ({
      payrollId: id,
      result: statusOfResults(resultsOf(id)),
      currentPayrollStatus: status,
    })),
    requiredSignatures: null,
    remainingSignatures: null,
  }
}

/** A requested payroll and its path in the request. */
type RequestedPayroll = { readonly id: string; readonly path: string }

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
  const signed = orders.filter((order) => order.signed && order.status === 'Unsigned')
  const notShown = new Set(signed.map(({ ordered }) => ordered.payrollId))
  const errors = payrolls.flatMap(({ id, status }, n): readonly ValidationError[] => {
    const cause = unknown.has(id)
      ? 'it is unknown whether the bank has accepted all of it'
      : left.has(id)
        ? null
        : notShown.has(id)
          ? SIGNATURE_NOT_SHOWN
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
