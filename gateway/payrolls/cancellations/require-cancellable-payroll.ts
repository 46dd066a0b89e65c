/** Makes sure that a payroll may be cancelled by the user of the caller's consent. */
import { setTimeout as pause } from 'node:timers/promises'
import { requireAccountOnConsent } from '../../accounts/require-account.ts'
import { companyOf, requirePaying } from '../../companies/require-company.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { accountFinder } from '../../consents/find-account.ts'
import type { Context } from '../../context.ts'
import { isOutcomeUnknown } from '../../orders/payment.ts'
import { ordersOfPayroll } from '../../orders/payroll/list-payroll-orders.ts'
import { type PayrollOrder, payrollOrdersAmong } from '../../orders/payroll/select-payroll-orders.ts'
import { wallMilliseconds } from '../../platform/clock.ts'
import { invalid, refuse } from '../../platform/http/errors/api-error.ts'
import type { Payroll } from '../payroll.ts'
import { payrollOf } from '../require-payroll.ts'
import { failPlacing } from '../settle-placing.ts'

/** A payroll with its orders. */
export type CancellablePayroll = { readonly payroll: Payroll; readonly orders: readonly PayrollOrder[] }

const CANCELLED = 'It was cancelled before its bank held all of it'
/** Most banks answer within this time. */
const ANSWERED_WITHIN_MILLISECONDS = 20_000
const LOOK_EVERY_MILLISECONDS = 250
const ASK_AGAIN_SECONDS = 5
/** The user's own wish comes first; workers withdraw what that leaves. */
const WITHDRAWN_BY_USER_WITHIN = { seconds: 30 }

/**
 * Of one that is still being placed nothing more is placed from then on, and what the bank is asked to take at this moment
 * is waited for. Throws 403 for a company that may not pay, 404, 409 for an unknown outcome, 422, `ACCESS_DENIED`, or
 * `AUTHENTICATION_TEMPORARY_UNAVAILABLE` when the bank takes longer.
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
  if (payroll.state === 'placing') {
    await failPlacing(context, payroll, CANCELLED, WITHDRAWN_BY_USER_WITHIN)
  }
  const { partnerId, id: payrollId } = payroll
  const orders = await answeredOrders(context, { partnerId, payrollId })
  requireKnown(payrollId, orders)
  return { payroll: await payrollOf(context, partnerId, payrollId), orders }
}

/** The orders once the bank has answered about each that it is asked to take. */
async function answeredOrders(
  context: Context,
  key: { readonly partnerId: string; readonly payrollId: string },
): Promise<readonly PayrollOrder[]> {
  const waitUntil = wallMilliseconds() + ANSWERED_WITHIN_MILLISECONDS
  for (;;) {
    const orders = payrollOrdersAmong(await ordersOfPayroll(context, key))
    const asked = orders.filter(({ outcome }) => outcome === 'asked').length
    if (asked === 0) {
      return orders
    }
    if (wallMilliseconds() >= waitUntil) {
      const message =
        `The bank is being asked to take ${asked} of ${orders.length} orders of the payroll, of which nothing more is ` +
        'placed; ask again once it has answered'
      throw refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message, { retryAfterSeconds: ASK_AGAIN_SECONDS })
    }
    await pause(LOOK_EVERY_MILLISECONDS)
  }
}

/** Of an order that the bank may or may not hold nobody can say that it is cancelled. */
function requireKnown(payrollId: string, orders: readonly PayrollOrder[]): void {
  if (orders.some(isOutcomeUnknown)) {
    throw refuse(
      'conflict',
      'Whether the bank took all of this payroll is not known, so it cannot be cancelled; follow the payroll named here',
      { payrollId },
    )
  }
}

function requireOfConsent({ consent }: ConsentCaller, { bic, organisationNumber }: Payroll): void {
  if (bic !== consent.bic) {
    throw invalid('.payrollId', `is a payroll at ${bic}, the consent is at ${consent.bic}`)
  }
  if (organisationNumber !== consent.organisationNumber) {
    throw invalid('.payrollId', 'is a payroll of another company than that of the consent')
  }
}
