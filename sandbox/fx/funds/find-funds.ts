/** Finds funding accounts, transactions on balances, and inbound funds. */
import { sql } from 'kysely'
import { equalTo, listRows, requireRow } from '../books/rows.ts'
import { HOUSE } from '../context.ts'
import { currencyOf } from '../market/market.ts'
import { parseInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
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

/** Filters of transactions by equality, and their columns. */
const FILTERS = {
  currency: 'currency',
  related_entity_type: 'entity_type',
  related_entity_id: 'entity_id',
  related_entity_short_reference: 'entity_reference',
  action: 'action',
}
/** Transactions are completed in the instant in which they are created. */
const TIMES = ['created_at', 'completed_at', 'updated_at', 'settles_at']

export async function listTransactions({ context, parameters }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const { type, status = 'completed', order = 'created_at' } = parameters
  const conditions = [
    ...equalTo(parameters, FILTERS),
    ...TIMES.flatMap((name) => [
      sql<boolean>`created_at >= coalesce(${parseInstant(parameters[`${name}_from`])}::timestamptz, created_at)`,
      sql<boolean>`created_at <= coalesce(${parseInstant(parameters[`${name}_to`])}::timestamptz, created_at)`,
    ]),
    ...(type === undefined ? [] : [sql<boolean>`(amount_minor < 0) = ${type === 'debit'}`]),
    sql<boolean>`${status} = 'completed'`,
  ]
  const { rows, total } = await listRows(context, 'transactions', page, conditions, ['created_at', 'position'])
  return { transactions: rows.map(transactionResponse), pagination: pagination(page, total, order) }
}

export async function getFundingTransaction(call: OperationCall): Promise<object> {
  return fundingTransactionResponse(await requireRow(call, 'arrivals', 'funding_transaction'))
}

/** An id that is stable across restarts, derived from the digits of the number. */
function idOf(iban: string): string {
  return `00000000-0000-4000-8000-${iban.replace(/\D/g, '').slice(-12).padStart(12, '0')}`
}
