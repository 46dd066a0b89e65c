/** Initiates a payroll: checks company and account, and submits it in the mode that the debtor's bank accepts. */

import type { PayrollInitiated } from '../../contract/payrolls/payroll-response.ts'
import { requirePaymentsAllowed } from '../companies/require-company.ts'
import type { DebtorAccount } from '../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { requireAccountOnConsent } from '../consents/require-consent.ts'
import type { Context } from '../context.ts'
import type { PayrollInstruction } from '../orders/parse/payroll-orders.ts'
import { initiatePayrollOrders } from '../orders/submit/initiate-payroll-orders.ts'
import type { PayrollInitiation } from '../orders/submit/store-payroll.ts'
import { apiError, InvalidRequestError } from '../platform/http/errors/api-error.ts'

/** Throws 503 with the payroll's id when it is unknown whether the bank accepted it. */
export async function initiatePayroll(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  initiation: PayrollInitiation,
): Promise<PayrollInitiated> {
  const { bank } = initiation
  const submissionMode = bank.profile.payroll?.submissionMode
  if (submissionMode === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not accept payrolls here`)
  }
  await requirePaymentsAllowed(context, caller.consent)
  const account = await requireDebtorAccount(context, caller, instruction)
  return await initiatePayrollOrders(context, caller, instruction, { ...initiation, submissionMode, account })
}

/** A payroll has no currency field: an error in the currency is reported at the first transaction. */
async function requireDebtorAccount(
  context: Context,
  caller: ConsentCaller,
  { debtor, currency }: PayrollInstruction,
): Promise<DebtorAccount> {
  try {
    return await requireAccountOnConsent(context, caller, { ...debtor, currency })
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      const path = '.transactions[0].amount.currency'
      throw new InvalidRequestError(error.validationErrors.map((validationError) => ({ ...validationError, path })))
    }
    throw error
  }
}
