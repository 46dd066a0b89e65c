/** Checks that the user of the caller's consent may cancel a payroll, and stops its submission. */

import { setTimeout as pause } from 'node:timers/promises'
import { requireAccountOnConsent } from '../../accounts/require-consent-account.ts'
import { requirePayer } from '../../approvals/require-payer.ts'
import { findRequestedCompany, requirePaymentsAllowed } from '../../companies/require-company.ts'
import { accountFinder } from '../../consents/accounts/find-account.ts'
import type { ConsentActor } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { listPayrollOrders } from '../../orders/list-payroll-orders.ts'
import { isOutcomeUnknown } from '../../orders/payment.ts'
import type { Payroll } from '../../orders/payroll.ts'
import { requirePayroll } from '../../orders/require-payroll.ts'
import { type PayrollOrder, selectPayrollOrders } from '../../orders/select-payroll-orders.ts'
import { failPayrollSubmission } from '../../orders/submit/update-submission-state.ts'
import { wallMilliseconds } from '../../platform/clock.ts'
import { apiError, invalidRequest } from '../../platform/http/errors/api-error.ts'

export type CancellablePayroll = { readonly payroll: Payroll; readonly orders: readonly PayrollOrder[] }

export const SENT_AS_FILE = 'The bank received this payroll as a file and does not permit third parties to cancel it'

const CANCELLED = 'It was cancelled before all of it had been submitted to the bank'
/** Most banks answer within this time. */
const ANSWERED_WITHIN_MILLISECONDS = 20_000
const POLL_INTERVAL_MILLISECONDS = 250
const RETRY_AFTER_SECONDS = 5
/** Until then the user's request cancels the orders; afterwards the sweep cancels the rest. */
const CANCELLED_BY_USER_WITHIN = { seconds: 30 }

/**
 * Stops a submission in progress and waits for the orders that are in flight to the bank. Throws 403 for a company that may
 * not pay, 404, 409 for an unknown outcome, 422, `ACCESS_DENIED`, or `AUTHENTICATION_TEMPORARY_UNAVAILABLE` when the bank
 * takes longer.
 */
export async function requireCancellablePayroll(
  context: Context,
  caller: ConsentActor,
  requestedId: string,
): Promise<CancellablePayroll> {
  await requirePaymentsAllowed((company) => findRequestedCompany(context, company), caller.consent)
  const payroll = await requirePayroll(context, caller.partnerId, requestedId)
  requireOfConsent(caller, payroll)
  if (payroll.submissionMode === 'file') {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', SENT_AS_FILE)
  }
  const { debtorBban: bban, currency } = payroll
  const number = parseDebtorAccountNumber(caller.consent.countryCode, bban)
  await requireAccountOnConsent(accountFinder(context), caller, { ...number, currency })
  await requirePayer(context, caller.consent, [{ debtorBban: bban, consentIds: [payroll.consentId] }])
  if (payroll.state === 'submitting') {
    await failPayrollSubmission(context, payroll, CANCELLED, CANCELLED_BY_USER_WITHIN)
  }
  const { partnerId, id: payrollId } = payroll
  const orders = await waitForAnsweredOrders(context, { partnerId, payrollId })
  requireKnownOutcome(payrollId, orders)
  return { payroll: await requirePayroll(context, partnerId, payrollId), orders }
}

/** Returns the orders once none is in flight to the bank. */
async function waitForAnsweredOrders(
  context: Context,
  key: { readonly partnerId: string; readonly payrollId: string },
): Promise<readonly PayrollOrder[]> {
  const waitUntil = wallMilliseconds() + ANSWERED_WITHIN_MILLISECONDS
  for (;;) {
    const orders = selectPayrollOrders(await listPayrollOrders(context, key))
    const pending = orders.filter(({ outcome }) => outcome === 'in-flight').length
    if (pending === 0) {
      return orders
    }
    if (wallMilliseconds() >= waitUntil) {
      const message =
        `The bank has not answered yet for ${pending} of ${orders.length} orders of the payroll. No further orders are ` +
        'submitted. Try again in a few seconds'
      throw apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    await pause(POLL_INTERVAL_MILLISECONDS)
  }
}

/** An order with an unknown outcome cannot be reported as cancelled. */
function requireKnownOutcome(payrollId: string, orders: readonly PayrollOrder[]): void {
  if (orders.some(isOutcomeUnknown)) {
    throw apiError(
      'conflict',
      'It is unknown whether the bank accepted all of this payroll, so it cannot be cancelled. Follow the payroll with this payrollId',
      { payrollId },
    )
  }
}

function requireOfConsent({ consent }: ConsentActor, { bic, organisationNumber }: Payroll): void {
  if (bic !== consent.bic) {
    throw invalidRequest('.payrollId', `is a payroll at ${bic}, but the consent is at ${consent.bic}`)
  }
  if (organisationNumber !== consent.organisationNumber) {
    throw invalidRequest('.payrollId', 'belongs to another company than the consent')
  }
}
