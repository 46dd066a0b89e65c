/** The table of the provider's operations, which are those that the connector calls (decision 0198), and their handlers. */

import { createBeneficiary, listBeneficiaries, validateBeneficiary } from './beneficiaries/beneficiary-operations.ts'
import { bookConversion } from './conversions/book-conversion.ts'
import { cancelConversion, findProfitAndLoss } from './conversions/cancel-conversion.ts'
import { getConversion, listConversions } from './conversions/conversion-response.ts'
import { createQuote } from './conversions/create-quote.ts'
import { findFundingAccounts, getFundingTransaction, listTransactions } from './funds/find-funds.ts'
import { detailedRate } from './market/price.ts'
import { createPayment } from './payouts/create-payment.ts'
import { getPayment, listPayments } from './payouts/payment-response.ts'
import { logIn } from './protocol/log-in.ts'
import type { Operation, OperationHandler } from './protocol/operation-call.ts'

export const operations: readonly Operation[] = [
  { ...post('/authenticate/api', logIn, 'auth_invalid_user_login_details'), open: true },
  get('/rates/detailed', detailedRate, 'detailed_rates_failed'),
  post('/quotes/create', createQuote, 'quote_create_failed'),
  post('/conversions/create', bookConversion, 'conversion_create_failed'),
  get('/conversions/find', listConversions, 'conversions_find_failed'),
  get('/conversions/profit_and_loss', findProfitAndLoss, 'conversions_profit_and_loss_failed'),
  get('/conversions/{id}', getConversion, 'conversion_find_failed'),
  post('/conversions/{id}/cancel', cancelConversion, 'conversion_cancel_failed'),
  get('/funding_accounts/find', findFundingAccounts, 'funding_accounts_find_failed'),
  get('/transactions/find', listTransactions, 'transactions_find_failed'),
  get('/funding_transactions/{id}', getFundingTransaction, 'funding_transaction_find_failed'),
  post('/beneficiaries/validate', validateBeneficiary, 'beneficiary_validate_failed'),
  post('/beneficiaries/create', createBeneficiary, 'beneficiary_create_failed'),
  post('/beneficiaries/find', listBeneficiaries, 'beneficiaries_find_failed'),
  post('/payments/create', createPayment, 'payment_create_failed'),
  get('/payments/find', listPayments, 'payments_find_failed'),
  get('/payments/{id}', getPayment, 'payment_find_failed'),
]

function get(path: string, verb: OperationHandler, errorCode: string): Operation {
  return { method: 'GET', path, verb, errorCode }
}

function post(path: string, verb: OperationHandler, errorCode: string): Operation {
  return { method: 'POST', path, verb, errorCode }
}
