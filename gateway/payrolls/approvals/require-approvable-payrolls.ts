/** Makes sure that payrolls can be approved together, by the user of the caller's consent. */

import { type Approvable, requireAccounts, requireHeld } from '../../approvals/require-approvable.ts'
import { companyOf, requirePaying } from '../../companies/require-company.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { isOpenForSigning, isOutcomeUnknown } from '../../orders/payment.ts'
import { ordersOfPayroll } from '../../orders/payroll/list-payroll-orders.ts'
import { type PayrollOrder, payrollOrdersAmong } from '../../orders/payroll/select-payroll-orders.ts'
import { signedByNobody } from '../../payments/signed-by-nobody.ts'
import { Invalid, type Problem, refuse } from '../../platform/http/errors/api-error.ts'
import type { Payroll } from '../payroll.ts'
import { requireNotCancelling } from '../require-not-cancelling.ts'
import { payrollOf } from '../require-payroll.ts'
import { requirePlaced, submittedBy } from '../require-placed.ts'
import type { PayrollAskedFor } from './requested-payrolls.ts'

/** Payrolls in the order asked, and those of their orders that are to be signed. */
export type ApprovablePayrolls = { readonly payrolls: readonly Payroll[]; readonly approvable: Approvable }

/**
 * Waits while the bank is told payouts. Throws 403 for a company that may not pay, 404, 422 at a payroll that cannot be
 * signed, `AUTHENTICATION_TEMPORARY_UNAVAILABLE` where that takes too long, 409 while it is not known whether the bank
 * took one or lets go of one, or `ACCESS_DENIED`.
 */
export async function requireApprovablePayrolls(
  context: Context,
  caller: ConsentCaller,
  asked: readonly PayrollAskedFor[],
): Promise<ApprovablePayrolls> {
  await requirePaying((company) => companyOf(context, company), caller.consent)
  const payrolls = await Promise.all(asked.map(({ id }) => payrollOf(context, caller.partnerId, id)))
  requireOfConsent(caller, payrolls, asked)
  requireSignedThroughUs(payrolls)
  // Before anything is placed as this user, whose bank would refuse it.
  await requireAccounts(context, caller, payrolls.map(accountOf))
  const waitUntil = submittedBy()
  for (const [n, payroll] of payrolls.entries()) {
    await requireNotCancelling(context, payroll)
    await requirePlaced(context, caller, payroll, { path: asked[n]?.path ?? '.', waitUntil })
  }
  const found = await Promise.all(
    payrolls.map(({ partnerId, id }) => ordersOfPayroll(context, { partnerId, payrollId: id })),
  )
  const orders = payrollOrdersAmong(found.flat())
  return { payrolls, approvable: await approvableOf(context, caller, { asked, payrolls, orders }) }
}

function requireOfConsent(
  { consent }: ConsentCaller,
  payrolls: readonly Payroll[],
  asked: readonly PayrollAskedFor[],
): void {
  const problems = payrolls.flatMap(({ bic, organisationNumber }, n): readonly Problem[] => {
    const reason =
      bic !== consent.bic
        ? `is a payroll at ${bic}, the consent is at ${consent.bic}`
        : organisationNumber !== consent.organisationNumber
          ? 'is a payroll of another company than that of the consent'
          : undefined
    return reason === undefined ? [] : [{ code: 'InvalidRequest', reason, path: asked[n]?.path ?? '.' }]
  })
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
}

function requireSignedThroughUs(payrolls: readonly Payroll[]): void {
  if (payrolls.some(({ way }) => way === 'file')) {
    throw refuse(
      'UNSUPPORTED_PRODUCT_BY_BANK',
      'The bank takes this payroll as a file, which the company signs in its own netbank',
    )
  }
}

function accountOf({ debtorBban, currency }: Payroll) {
  return { debtorBban, ordered: { from: { currency } } }
}

type Found = {
  readonly asked: readonly PayrollAskedFor[]
  readonly payrolls: readonly Payroll[]
  readonly orders: readonly PayrollOrder[]
}

/** What a payroll has left to sign; orders that are signed, or ended, are none of it. */
async function approvableOf(
  context: Context,
  { partnerId }: ConsentCaller,
  { asked, payrolls, orders }: Found,
): Promise<Approvable> {
  const unneeded = await signedByNobody(context, partnerId, orders)
  const toSign = orders.filter((order) => unneeded.has(order.id) || isOpenForSigning(order))
  const left = new Set(toSign.map(({ payrollId }) => payrollId))
  const unknown = new Set(orders.filter(isOutcomeUnknown).map(({ payrollId }) => payrollId))
  const problems = payrolls.flatMap(({ id, status }, n): readonly Problem[] => {
    const why = unknown.has(id)
      ? 'whether the bank took all of it is not known'
      : left.has(id)
        ? null
        : `it is ${status}`
    const reason = `cannot be signed: ${why}`
    return why === null ? [] : [{ code: 'InvalidRequest', reason, path: asked[n]?.path ?? '.' }]
  })
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
  const pathByPayroll = new Map(asked.map(({ id, path }) => [id, path]))
  const pathByOrder = new Map(toSign.map(({ id, payrollId }) => [id, pathByPayroll.get(payrollId) ?? '.']))
  return {
    payments: toSign.map(requireHeld),
    signedByNobody: unneeded,
    pathOf: (id) => pathByOrder.get(id) ?? '.',
  }
}
