/** The table of the provider's operations and their handlers. */

import {
  createBeneficiary,
  getBeneficiary,
  listBeneficiaries,
  validateBeneficiary,
} from './beneficiaries/beneficiary-operations.ts'
import {
  beneficiaryRequiredDetails,
  conversionDates,
  listCurrencies,
  payerRequiredDetails,
  paymentDates,
  paymentDeliveryDate,
  purposeCodes,
  settlementAccounts,
} from './beneficiaries/reference-data.ts'
import { bookConversion } from './conversions/book-conversion.ts'
import { cancelConversion, findProfitAndLoss, quoteCancellation } from './conversions/cancel-conversion.ts'
import { getConversion, listConversions } from './conversions/conversion-response.ts'
import { createQuote } from './conversions/create-quote.ts'
import { emulateFunding } from './funds/emulate-funding.ts'
import {
  findFundingAccounts,
  getBalance,
  getFundingTransaction,
  getSender,
  getTransaction,
  listTransactions,
} from './funds/find-funds.ts'
import { detailedRate } from './market/price.ts'
import { createPayment, validatePayment } from './payouts/create-payment.ts'
import { deletePayment, getPayment, listPayments } from './payouts/payment-response.ts'
import { closeSession, logIn } from './protocol/log-in.ts'
import type { Operation, OperationHandler } from './protocol/operation-call.ts'

export const operations: readonly Operation[] = [
  { ...post('/authenticate/api', logIn, 'auth_invalid_user_login_details'), open: true },
  post('/authenticate/close_session', closeSession, 'close_session_failed'),
  get('/rates/detailed', detailedRate, 'detailed_rates_failed'),
  post('/quotes/create', createQuote, 'quote_create_failed'),
  post('/conversions/create', bookConversion, 'conversion_create_failed'),
  get('/conversions/find', listConversions, 'conversions_find_failed'),
  get('/conversions/profit_and_loss', findProfitAndLoss, 'conversions_profit_and_loss_failed'),
  get('/conversions/{id}', getConversion, 'conversion_find_failed'),
  get('/conversions/{id}/cancellation_quote', quoteCancellation, 'conversion_cancellation_quote_failed'),
  post('/conversions/{id}/cancel', cancelConversion, 'conversion_cancel_failed'),
  get('/funding_accounts/find', findFundingAccounts, 'funding_accounts_find_failed'),
  get('/balances/{currency}', getBalance, 'balance_find_failed'),
  get('/transactions/find', listTransactions, 'transactions_find_failed'),
  get('/transactions/sender/{id}', getSender, 'sender_find_failed'),
  get('/transactions/{id}', getTransaction, 'transaction_find_failed'),
  get('/funding_transactions/{id}', getFundingTransaction, 'funding_transaction_find_failed'),
  post('/beneficiaries/validate', validateBeneficiary, 'beneficiary_validate_failed'),
  post('/beneficiaries/create', createBeneficiary, 'beneficiary_create_failed'),
  post('/beneficiaries/find', listBeneficiaries, 'beneficiaries_find_failed'),
  get('/beneficiaries/{id}', getBeneficiary, 'beneficiary_find_failed'),
  post('/payments/create', createPayment, 'payment_create_failed'),
  post('/payments/validate', validatePayment, 'payment_validate_failed'),
  get('/payments/find', listPayments, 'payments_find_failed'),
  get('/payments/payment_delivery_date', paymentDeliveryDate, 'payment_delivery_date_failed'),
  get('/payments/{id}', getPayment, 'payment_find_failed'),
  post('/payments/{id}/delete', deletePayment, 'payment_delete_failed'),
  get('/reference/currencies', listCurrencies, 'currencies_failed'),
  get('/reference/conversion_dates', conversionDates, 'conversion_dates_failed'),
  get('/reference/payment_dates', paymentDates, 'payment_dates_failed'),
  get('/reference/payment_purpose_codes', purposeCodes, 'payment_purpose_codes_failed'),
  get('/reference/beneficiary_required_details', beneficiaryRequiredDetails, 'beneficiary_required_details_failed'),
  get('/reference/payer_required_details', payerRequiredDetails, 'payer_required_details_failed'),
  get('/reference/settlement_accounts', settlementAccounts, 'settlement_accounts_failed'),
  post('/demo/funding/create', emulateFunding, 'demo_funding_create_failed'),
]

function get(path: string, verb: OperationHandler, errorCode: string): Operation {
  return { method: 'GET', path, verb, errorCode }
}

function post(path: string, verb: OperationHandler, errorCode: string): Operation {
  return { method: 'POST', path, verb, errorCode }
}
