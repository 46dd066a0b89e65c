/** Finds funding accounts, balances and the transactions on them. */

import { balanceOf } from '../books/balance-store.ts'
import { findInboundFunds } from '../books/inbound-funds-store.ts'
import { findTransaction, findTransactions } from '../books/transaction-store.ts'
import { HOUSE } from '../context.ts'
import { currencyOf, formatAmount } from '../market/market.ts'
import { formatInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { fieldRejected, notFound } from '../protocol/provider-api-error.ts'
import { fundingTransactionResponse, senderResponse, transactionResponse } from './inbound-funds-response.ts'
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

export async function getBalance({ books, parameters, at }: OperationCall): Promise<object> {
  const { currency = '' } = parameters
  if (currencyOf(currency) === undefined) {
    throw fieldRejected(
      'balance_find_failed',
      'currency',
      'currency_is_in_invalid_format',
      'currency is not a valid one',
    )
  }
  return {
    id: HOUSE.accountId,
    account_id: HOUSE.accountId,
    currency,
    amount: formatAmount(await balanceOf(books, currency), currency),
    created_at: OPENED_AT,
    updated_at: formatInstant(at),
  }
}

export async function listTransactions({ books, parameters }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const { rows, total } = await findTransactions(books, parameters, page)
  const order = parameters['order'] ?? 'created_at'
  return { transactions: rows.map(transactionResponse), pagination: pagination(page, total, order) }
}

export async function getTransaction({ books, parameters }: OperationCall): Promise<object> {
  const transaction = await findTransaction(books, parameters['id'] ?? '')
  if (transaction === undefined) {
    throw notFound('transaction')
  }
  return transactionResponse(transaction)
}

export async function getFundingTransaction(call: OperationCall): Promise<object> {
  return fundingTransactionResponse(await requireInboundFunds(call, 'funding_transaction'))
}

export async function getSender(call: OperationCall): Promise<object> {
  return senderResponse(await requireInboundFunds(call, 'transaction'))
}

async function requireInboundFunds({ books, parameters }: OperationCall, noun: string) {
  const arrival = await findInboundFunds(books, parameters['id'] ?? '')
  if (arrival === undefined) {
    throw notFound(noun)
  }
  return arrival
}

/** An id that is stable across restarts, derived from the digits of the number. */
function idOf(iban: string): string {
  return `00000000-0000-4000-8000-${iban.replace(/\D/g, '').slice(-12).padStart(12, '0')}`
}
