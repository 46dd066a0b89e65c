/** Prepares the submission of a payroll by a job: the bank, the consent and the account under which orders are submitted. */
import { requireBank } from '../../banks/directory/bank-directory.ts'
import { findRequestedCompany, requirePaymentsAllowed } from '../../companies/require-company.ts'
import { findAccountByBban } from '../../consents/accounts/find-account.ts'
import { isInForce } from '../../consents/consent.ts'
import { activeConsentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../platform/http/errors/api-error.ts'
import type { Payroll } from '../payroll.ts'
import { lockSubmittingPayroll } from '../store/payroll-submission-store.ts'
import { isPayrollHeld } from './hold-payrolls.ts'
import type { DeferredSubmission, TransactionSubmissionParameters } from './submit-payroll-transaction.ts'
import { failPayrollSubmission } from './update-submission-state.ts'

/** Why the rest cannot be submitted now, and what has to change. */
export type SubmissionObstacle = Pick<DeferredSubmission, 'text' | 'needs' | 'retryAfterSeconds'>

/** What all transactions of a payroll share. */
export type PreparedSubmission = Omit<TransactionSubmissionParameters, 'contents'>

/**
 * Uses the recorded consent, or the one by which its user has renewed it. The user is away: the PSU headers of the
 * request are not stored, and nothing is sent in their place. A bank that is out of use is an obstacle, too.
 */
export async function prepareSubmission(
  context: Context,
  payroll: Payroll,
): Promise<PreparedSubmission | SubmissionObstacle> {
  try {
    return await requireSubmittable(context, payroll)
  } catch (error) {
    if (error instanceof ApiError) {
      return { text: error.message, needs: 'time' }
    }
    throw error
  }
}

/** Throws `ApiError` if the bank or the company is not served at present. */
async function requireSubmittable(
  context: Context,
  payroll: Payroll,
): Promise<PreparedSubmission | SubmissionObstacle> {
  const { partnerId, id: payrollId, bic, debtorBban, submissionConsentId } = payroll
  if (await isPayrollHeld(context, { partnerId, payrollId })) {
    return {
      text: 'Held after a restore of the database until operators have compared it with the bank',
      needs: 'time',
    }
  }
  const bank = await requireBank(context.banks, bic)
  const { domesticPayments: product } = context.banks.connectorOf(bank)
  if (product === undefined) {
    return { text: `${bank.name} does not accept single payments here`, needs: 'time' }
  }
  const consent = await activeConsentOf(context, { partnerId, consentId: submissionConsentId })
  if (consent === undefined || !isInForce(consent, context.clock.now())) {
    return { text: 'The consent under which it is submitted is no longer in force', needs: 'consent' }
  }
  // The company's service may have ended since the payroll was ordered.
  await requirePaymentsAllowed((company) => findRequestedCompany(context, company), payroll)
  const account = await findAccountByBban(context, consent, debtorBban)
  return {
    ...{ bank, product },
    caller: { consent, psu: null },
    // Orders are polled under the consent that submitted them.
    payroll: { ...payroll, payrollId, consentId: consent.id },
    debtorIban: account?.iban ?? null,
    isOpen: ({ database }) => lockSubmittingPayroll(database, payroll),
    recordRejected: async (context, text) => {
      await failPayrollSubmission(context, payroll, text)
    },
  }
}
