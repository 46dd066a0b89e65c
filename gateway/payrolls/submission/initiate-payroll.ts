/** Initiates a payroll: checks company and account, and submits it in the mode that the debtor's bank accepts. */

import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated } from '../../../contract/payrolls/payroll-response.ts'
import { requireAccountOnConsent } from '../../accounts/require-consent-account.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { requirePaymentsAllowed } from '../../companies/require-company.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import type { FindAccount } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { parseDebtorAccountNumber } from '../../countries/debtor-account-number.ts'
import { apiError, InvalidRequestError } from '../../platform/http/errors/api-error.ts'
import { type SubmissionMode, submissionModeOf } from '../payroll.ts'
import { currencyOfTransactions } from './create-payroll.ts'
import { initiatePayrollAsBulkOrder } from './initiate-payroll-as-bulk-order.ts'
import { initiatePayrollAsFile } from './initiate-payroll-as-file.ts'
import { initiatePayrollAsSinglePayments } from './initiate-payroll-as-single-payments.ts'
import type { PayrollInitiation } from './payroll-initiation.ts'

/** Throws 503 with the payroll's id when it is unknown whether the bank accepted it. */
export async function initiatePayroll(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollRequest,
  initiation: PayrollInitiation,
): Promise<PayrollInitiated> {
  const submissionMode = requireSubmissionMode(initiation.bank)
  await requirePaymentsAllowed(initiation.findCompany, caller.consent)
  const account = await requireDebtorAccount(initiation.findAccount, caller, ordered)
  const parameters = { ...initiation, submissionMode, account }
  switch (submissionMode) {
    case 'bulk':
      return await initiatePayrollAsBulkOrder(context, caller, ordered, parameters)
    case 'baskets':
    case 'chain':
      return await initiatePayrollAsSinglePayments(context, caller, ordered, parameters)
    case 'file':
      return await initiatePayrollAsFile(context, caller, ordered, parameters)
  }
}

function requireSubmissionMode(bank: Bank): SubmissionMode {
  const submissionMode = submissionModeOf(bank)
  if (submissionMode === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not accept payrolls here`)
  }
  return submissionMode
}

/** A payroll has no currency field: an error in the currency is reported at the first transaction. */
async function requireDebtorAccount(
  findAccount: FindAccount,
  caller: ConsentCaller,
  { from, transactions }: PayrollRequest,
): Promise<ConsentAccount> {
  try {
    const number = parseDebtorAccountNumber(caller.consent.countryCode, from.account.bban)
    return await requireAccountOnConsent(findAccount, caller, {
      ...number,
      currency: currencyOfTransactions(transactions),
    })
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      const path = '.transactions[0].amount.currency'
      throw new InvalidRequestError(error.validationErrors.map((validationError) => ({ ...validationError, path })))
    }
    throw error
  }
}
