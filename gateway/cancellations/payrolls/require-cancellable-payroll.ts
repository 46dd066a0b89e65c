/** Makes sure that a payroll may be cancelled by the user of the caller's consent. */
import { requireAccountOnConsent } from '../../accounts/require-account.ts'
import { type PayrollOrder, payrollOrdersAmong } from '../../approvals/payrolls/payroll-order-of.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { accountFinder } from '../../consents/find-account.ts'
import type { Context } from '../../context.ts'
import { invalid, refuse } from '../../foundation/http/refusal.ts'
import { companyOf, requirePaying } from '../../onboarding/require-company.ts'
import { isOutcomeUnknown } from '../../payments/payment.ts'
import { ordersOfPayroll } from '../../payments/payroll-order/orders-of-payroll.ts'
import type { Payroll } from '../../payrolls/payroll.ts'
import { payrollOf } from '../../payrolls/payroll-of.ts'
import { failPlacing } from '../../payrolls/settle-placing.ts'

/** A payroll with its orders. */
export type CancellablePayroll = { readonly payroll: Payroll; readonly orders: readonly PayrollOrder[] }

const CANCELLED = 'It was cancelled before its bank held all of it'

/**
 * Of one that is still being placed nothing more is placed from then on. Throws 403 for a company that may not pay, 404,
 * 409 for an unknown outcome, 422, or `ACCESS_DENIED`.
 */
export async function requireCancellablePayroll(
  context: Context,
  caller: ConsentCaller,
  asked: string,
): Promise<CancellablePayroll> {
  await requirePaying((company) => companyOf(context, company), caller.consent)
  const payroll = await payrollOf(context, caller.partnerId, asked)
  requireOfConsent(caller, payroll)
  if (payroll.way === 'file') {
    throw refuse(
      'UNSUPPORTED_PRODUCT_BY_BANK',
      'The bank took this payroll as a file, and lets no third party cancel it',
    )
  }
  const { debtorBban: bban, currency } = payroll
  await requireAccountOnConsent(accountFinder(context), caller, { bban, currency })
  const isStopped = payroll.state === 'placing' && (await failPlacing(context, payroll, CANCELLED))
  const { partnerId, id: payrollId } = payroll
  const orders = payrollOrdersAmong(await ordersOfPayroll(context, { partnerId, payrollId }))
  if (payroll.state === 'placed' && orders.some(isOutcomeUnknown)) {
    throw refuse(
      'conflict',
      'Whether the bank took this payroll is not known, so it cannot be cancelled; follow the payroll named here',
      { payrollId },
    )
  }
  return { payroll: isStopped ? { ...payroll, state: 'failing' } : payroll, orders }
}

function requireOfConsent({ consent }: ConsentCaller, { bic, organisationNumber }: Payroll): void {
  if (bic !== consent.bic) {
    throw invalid('.payrollId', `is a payroll at ${bic}, the consent is at ${consent.bic}`)
  }
  if (organisationNumber !== consent.organisationNumber) {
    throw invalid('.payrollId', 'is a payroll of another company than that of the consent')
  }
}
