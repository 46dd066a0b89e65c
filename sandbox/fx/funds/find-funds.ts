/** Finds funding accounts, transactions on balances, and inbound funds. */

import { findInboundFunds } from '../books/inbound-funds-store.ts'
import { findTransactions } from '../books/transaction-store.ts'
import { HOUSE } from '../context.ts'
import { currencyOf } from '../market/market.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { fieldRejected, notFound } from '../protocol/provider-api-error.ts'
import { fundingTransactionResponse, transactionResponse } from './inbound-funds-response.ts'
import { fundingAccountHolder, fundingAccounts } from './receive-inbound-funds.ts'

/** Creation time of the funding accounts. */
const OPENED_AT = '2024-01-02T09:00:00+00:00'

export function findFundingAccounts({ parameters }: OperationCall): object {
  const { currency = '', payment_type = 'regular' } = parameters
  if (currencyOf(currency) === undefined) {
    const message = 'currency is not a valid ISO 4217 currency code'
    throw fieldRejected('funding_accounts_find_failed', 'currency', 'currency_is_in_invalid_format', message)
  }
  const page = parsePage(parameters)
  const matching = fundingAccounts.filter((account) => account.currency === currency)
  const start = (page.number - 1) * page.size
  return {
    funding_accounts: matching.slice(start, start + page.size).map((account) => ({
      id: idOf(account.iban),
      account_id: HOUSE.accountId,
      account_number: account.iban,
      account_number_type: 'iban',
      account_holder_name: fundingAccountHolder,
      bank_name: account.bankName,
      bank_address: account.bankAddress,
      bank_country: account.country,
      currency: account.currency,
      payment_type,
      routing_code: account.bic,
      routing_code_type: 'bic_swift',
      created_at: OPENED_AT,
      updated_at: OPENED_AT,
    })),
    pagination: pagination(page, matching.length, 'created_at'),
  }
}

export async function listTransactions({ books, parameters }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const { rows, total } = await findTransactions(books, parameters, page)
  const order = parameters['order'] ?? 'created_at'
  return { transactions: rows.map(transactionResponse), pagination: pagination(page, total, order) }
}

export async function getFundingTransaction({ books, parameters }: OperationCall): Promise<object> {
  const arrival = await findInboundFunds(books, parameters['id'] ?? '')
  if (arrival === undefined) {
    throw notFound('funding_transaction')
  }
  return fundingTransactionResponse(arrival)
}

/** An id that is stable across restarts, derived from the digits of the number. */
function idOf(iban: string): string {
  return `00000000-0000-4000-8000-${iban.replace(/\D/g, '').slice(-12).padStart(12, '0')}`
}
