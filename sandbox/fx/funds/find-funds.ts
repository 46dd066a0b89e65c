/** Shows accounts to pay to, balances, and what moved them. */
import { HOUSE } from '../conversions/house-account.ts'
import { currencyOf, printAmount } from '../market/market.ts'
import { printInstant } from '../protocol/format-time.ts'
import type { Call } from '../protocol/operation-call.ts'
import { pageOf, pagination } from '../protocol/pagination.ts'
import { notFound, refused } from '../protocol/provider-api-error.ts'
import { balanceOf } from './balance-store.ts'
import { showFundingTransaction, showSender, showTransaction } from './inbound-funds-response.ts'
import { findArrival } from './inbound-funds-store.ts'
import { fundingAccountHolder, fundingAccounts } from './receive-inbound-funds.ts'
import { findTransaction, findTransactions } from './transaction-store.ts'

/** The accounts have been there as long as the provider. */
const OPENED_AT = '2024-01-02T09:00:00+00:00'

export function findFundingAccounts({ parameters }: Call): object {
  const { currency = '', payment_type = 'regular' } = parameters
  if (currencyOf(currency) === undefined) {
    const message = 'currency is not a valid ISO 4217 currency code'
    throw refused('funding_accounts_find_failed', 'currency', 'currency_is_in_invalid_format', message)
  }
  const page = pageOf(parameters)
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

export async function readBalance({ books, parameters, at }: Call): Promise<object> {
  const { currency = '' } = parameters
  if (currencyOf(currency) === undefined) {
    throw refused('balance_find_failed', 'currency', 'currency_is_in_invalid_format', 'currency is not a valid one')
  }
  return {
    id: HOUSE.accountId,
    account_id: HOUSE.accountId,
    currency,
    amount: printAmount(await balanceOf(books, currency), currency),
    created_at: OPENED_AT,
    updated_at: printInstant(at),
  }
}

export async function listTransactions({ books, parameters }: Call): Promise<object> {
  const page = pageOf(parameters)
  const { rows, total } = await findTransactions(books, parameters, page)
  const order = parameters['order'] ?? 'created_at'
  return { transactions: rows.map(showTransaction), pagination: pagination(page, total, order) }
}

export async function readTransaction({ books, parameters }: Call): Promise<object> {
  const transaction = await findTransaction(books, parameters['id'] ?? '')
  if (transaction === undefined) {
    throw notFound('transaction')
  }
  return showTransaction(transaction)
}

export async function readFundingTransaction(call: Call): Promise<object> {
  return showFundingTransaction(await requireArrival(call, 'funding_transaction'))
}

export async function readSender(call: Call): Promise<object> {
  return showSender(await requireArrival(call, 'transaction'))
}

async function requireArrival({ books, parameters }: Call, noun: string) {
  const arrival = await findArrival(books, parameters['id'] ?? '')
  if (arrival === undefined) {
    throw notFound(noun)
  }
  return arrival
}

/** The same id at every start, made of the digits of the number. */
function idOf(iban: string): string {
  return `00000000-0000-4000-8000-${iban.replace(/\D/g, '').slice(-12).padStart(12, '0')}`
}
