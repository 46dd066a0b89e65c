/** Tells what the provider deals in and demands: currencies, days, and what receivers and payers have to tell. */

import { fundingAccountHolder, fundingAccounts } from '../funds/receive-inbound-funds.ts'
import { cutOffOn, dayAt, dealingDay, isDealingDay, preferredDay } from '../market/dealing-calendar.ts'
import { currenciesTraded, currencyOf, type Traded } from '../market/market.ts'
import { printDay, printInstant } from '../protocol/format-time.ts'
import type { Call } from '../protocol/operation-call.ts'
import { refused } from '../protocol/provider-api-error.ts'
import { demandsOf, listDemands } from './required-details.ts'

/** How far ahead days without dealing are told. */
const DAYS_TOLD = 180
const SOMETHING = '^.{1,255}'

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

export function beneficiaryRequiredDetails({ parameters }: Call): object {
  const { bank_account_country = '', currency = '' } = parameters
  const demands = demandsOf(bank_account_country)
  const isTraded = currencyOf(currency) !== undefined
  return { details: demands === undefined || !isTraded ? [] : listDemands(demands) }
}

export function payerRequiredDetails({ parameters }: Call): object {
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
          { name: 'payer_city', validation_rule: SOMETHING },
          { name: 'payer_address', validation_rule: SOMETHING },
          ...(entity === 'company' ? ['payer_company_name'] : ['payer_first_name', 'payer_last_name']).map((name) => ({
            name,
            validation_rule: SOMETHING,
          })),
        ],
      })),
  }
}

/** The sandbox's receivers need none. */
export function purposeCodes(): object {
  return { purpose_codes: [] }
}

export function conversionDates({ parameters, at }: Call): object {
  const { conversion_pair = '', start_date } = parameters
  const [first, second] = [currencyOf(conversion_pair.slice(0, 3)), currencyOf(conversion_pair.slice(3))]
  if (first === undefined || second === undefined) {
    const message = 'conversion_pair is invalid'
    throw refused('conversion_dates_failed', 'conversion_pair', 'invalid_conversion_pair', message)
  }
  const pair = [first, second]
  const earliest = preferredDay(pair, 'earliest', at)
  return {
    invalid_conversion_dates: daysOff(pair, start_date ?? dayAt(at).toString()),
    first_conversion_date: earliest.toString(),
    default_conversion_date: preferredDay(pair, 'default', at).toString(),
    first_conversion_cutoff_datetime: printInstant(cutOffOn(first, earliest)),
    next_day_conversion_date: preferredDay(pair, 'next_day', at).toString(),
    optimize_liquidity_conversion_date: preferredDay(pair, 'optimize_liquidity', at).toString(),
  }
}

export function paymentDates({ parameters, at }: Call): object {
  const currency = requireCurrency(parameters['currency'], 'payment_dates_failed')
  const from = parameters['start_date'] ?? dayAt(at).toString()
  return {
    invalid_payment_dates: daysOff([currency], from),
    first_payment_date: dealingDay([currency], Temporal.PlainDate.from(from)).toString(),
  }
}

export function paymentDeliveryDate({ parameters }: Call): object {
  const { payment_date = '', payment_type = '', currency = '', bank_country = '' } = parameters
  const paid = requireCurrency(currency, 'payment_delivery_date_failed')
  const day = dealingDay([paid], Temporal.PlainDate.from(payment_date))
  return {
    payment_date,
    payment_delivery_date: printDay(day),
    payment_cutoff_time: printInstant(cutOffOn(paid, day)),
    payment_type,
    currency,
    bank_country,
  }
}

export function settlementAccounts({ parameters }: Call): object {
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

function requireCurrency(code: string | undefined, errorCode: string): Traded {
  const currency = currencyOf(code ?? '')
  if (currency === undefined) {
    throw refused(errorCode, 'currency', 'currency_is_in_invalid_format', 'currency is not a valid one')
  }
  return currency
}

function daysOff(currencies: readonly Traded[], from: string): Readonly<Record<string, string>> {
  const first = Temporal.PlainDate.from(from)
  const days = Array.from({ length: DAYS_TOLD }, (_, index) => first.add({ days: index }))
  return Object.fromEntries(
    days.filter((day) => !isDealingDay(currencies, day)).map((day) => [day.toString(), wordFor(day)]),
  )
}

function wordFor({ dayOfWeek }: Temporal.PlainDate): string {
  return dayOfWeek === 6 ? 'No trading on Saturday' : dayOfWeek === 7 ? 'No trading on Sunday' : 'Bank holiday'
}
