/** Lists reference data: currencies, non-dealing days, and the required details of beneficiaries and payers. */

import { fundingAccountHolder, fundingAccounts } from '../funds/receive-inbound-funds.ts'
import { cutOffOn, dayAt, dealingDay, isDealingDay, preferredDay } from '../market/dealing-calendar.ts'
import { currenciesTraded, currencyOf, type TradedCurrency } from '../market/market.ts'
import { formatDay, formatInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import { listRequirements, requirementsOf } from './required-details.ts'

/** How far ahead non-dealing days are listed. */
const DAYS_LISTED = 180
const NON_EMPTY = '^.{1,255}'

export function listCurrencies(): object {
  return {
    currencies: currenciesTraded.map(({ code, decimals, name }) => ({
      code,
      decimal_places: decimals,
      name,
      online_trading: true,
    })),
  }
}

export function beneficiaryRequiredDetails({ parameters }: OperationCall): object {
  const { bank_account_country = '', currency = '' } = parameters
  const demands = requirementsOf(bank_account_country)
  const isTraded = currencyOf(currency) !== undefined
  return { details: demands === undefined || !isTraded ? [] : listRequirements(demands) }
}

export function payerRequiredDetails({ parameters }: OperationCall): object {
  const { payer_entity_type, payment_type } = parameters
  const combinations = ['company', 'individual'].flatMap((entity) =>
    ['priority', 'regular'].map((type) => ({ entity, type })),
  )
  return {
    details: combinations
      .filter(({ entity, type }) => (payer_entity_type ?? entity) === entity && (payment_type ?? type) === type)
      .map(({ entity, type }) => ({
        payer_entity_type: entity,
        payment_type: type,
        required_fields: [
          { name: 'payer_country', validation_rule: '^[A-z]{2}$' },
          { name: 'payer_city', validation_rule: NON_EMPTY },
          { name: 'payer_address', validation_rule: NON_EMPTY },
          ...(entity === 'company' ? ['payer_company_name'] : ['payer_first_name', 'payer_last_name']).map((name) => ({
            name,
            validation_rule: NON_EMPTY,
          })),
        ],
      })),
  }
}

/** The sandbox requires no purpose codes. */
export function purposeCodes(): object {
  return { purpose_codes: [] }
}

export function conversionDates({ parameters, at }: OperationCall): object {
  const { conversion_pair = '', start_date } = parameters
  const [first, second] = [currencyOf(conversion_pair.slice(0, 3)), currencyOf(conversion_pair.slice(3))]
  if (first === undefined || second === undefined) {
    const message = 'conversion_pair is invalid'
    throw fieldRejected('conversion_dates_failed', 'conversion_pair', 'invalid_conversion_pair', message)
  }
  const pair = [first, second]
  const earliest = preferredDay(pair, 'earliest', at)
  return {
    invalid_conversion_dates: daysOff(pair, start_date ?? dayAt(at).toString()),
    first_conversion_date: earliest.toString(),
    default_conversion_date: preferredDay(pair, 'default', at).toString(),
    first_conversion_cutoff_datetime: formatInstant(cutOffOn(first, earliest)),
    next_day_conversion_date: preferredDay(pair, 'next_day', at).toString(),
    optimize_liquidity_conversion_date: preferredDay(pair, 'optimize_liquidity', at).toString(),
  }
}

export function paymentDates({ parameters, at }: OperationCall): object {
  const currency = requireCurrency(parameters['currency'], 'payment_dates_failed')
  const from = parameters['start_date'] ?? dayAt(at).toString()
  return {
    invalid_payment_dates: daysOff([currency], from),
    first_payment_date: dealingDay([currency], Temporal.PlainDate.from(from)).toString(),
  }
}

export function paymentDeliveryDate({ parameters }: OperationCall): object {
  const { payment_date = '', payment_type = '', currency = '', bank_country = '' } = parameters
  const paid = requireCurrency(currency, 'payment_delivery_date_failed')
  const day = dealingDay([paid], Temporal.PlainDate.from(payment_date))
  return {
    payment_date,
    payment_delivery_date: formatDay(day),
    payment_cutoff_time: formatInstant(cutOffOn(paid, day)),
    payment_type,
    currency,
    bank_country,
  }
}

export function settlementAccounts({ parameters }: OperationCall): object {
  const { currency } = parameters
  return {
    settlement_accounts: fundingAccounts
      .filter((account) => (currency ?? account.currency) === account.currency)
      .map((account) => ({
        bank_account_holder_name: fundingAccountHolder,
        beneficiary_address: [],
        beneficiary_country: '',
        bank_name: account.bankName,
        bank_address: [account.bankAddress],
        bank_country: account.country,
        currency: account.currency,
        bic_swift: account.bic,
        iban: account.iban,
        account_number: '',
        routing_code_type_1: '',
        routing_code_value_1: '',
        routing_code_type_2: '',
        routing_code_value_2: '',
      })),
  }
}

function requireCurrency(code: string | undefined, errorCode: string): TradedCurrency {
  const currency = currencyOf(code ?? '')
  if (currency === undefined) {
    throw fieldRejected(errorCode, 'currency', 'currency_is_in_invalid_format', 'currency is not a valid one')
  }
  return currency
}

function daysOff(currencies: readonly TradedCurrency[], from: string): Readonly<Record<string, string>> {
  const first = Temporal.PlainDate.from(from)
  const days = Array.from({ length: DAYS_LISTED }, (_, index) => first.add({ days: index }))
  return Object.fromEntries(
    days.filter((day) => !isDealingDay(currencies, day)).map((day) => [day.toString(), wordFor(day)]),
  )
}

function wordFor({ dayOfWeek }: Temporal.PlainDate): string {
  return dayOfWeek === 6 ? 'No trading on Saturday' : dayOfWeek === 7 ? 'No trading on Sunday' : 'Bank holiday'
}
