/** Tests for every country that valid orders pass validation, and that each invalid field has its error code. */

import { describe, expect, test } from 'vitest'
import { dollarOrder } from '../../../contract/examples/fx.ts'
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import { isInformationRequired } from '../../countries/destinations/additional-information-validation.ts'
import {
  type CountryRequirements,
  listedCountries,
  requirementsOf,
} from '../../countries/destinations/requirements-table.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { nordicBanks } from '../../testing/banks/nordic-banks.ts'
import { contextOf } from '../../testing/gateway/test-context.ts'
import { validDestination, validLocalDestination } from '../../testing/payments/valid-destination.ts'
import { CURRENCIES, currencyRules } from '../availability/currency-rules.ts'
import { exchangeOrderErrors } from './exchange-order-validation.ts'

const TUESDAY = Temporal.ZonedDateTime.from('2026-11-24T12:00[Europe/Oslo]').toInstant()
const HOURS_REPORTED = contextOf({
  clock: { now: () => TUESDAY },
  config: { mode: 'production', fxServiceHours: { opens: '06:00', closes: '22:00' } },
})

/** From a country whose currency is not the one that is paid out. */
const swedish = nordicBanks.find(({ countryCode }) => countryCode === 'SE')
const FROM_SWEDEN = {
  ...dollarOrder.from,
  bban: swedish?.main ?? '',
  bic: swedish?.bic ?? '',
  country: 'SE',
  currency: 'SEK',
}

const payable = listedCountries.flatMap(({ country }) => requirementsOf(country) ?? [])
const reachable = payable.flatMap((requirements) => {
  const currency = requirements.currencies.find((one) => currencyRules(one) !== undefined)
  return currency === undefined ? [] : [{ requirements, currency, country: requirements.country }]
})

function orderTo(destination: ReturnType<typeof validDestination>): ExchangeOrder {
  const { account, address, currency, additionalInformation } = destination
  const { streetName = '', buildingNumber = '', city = '', postCode = '', country } = address
  return {
    ...dollarOrder,
    ...(currency === 'NOK' ? { from: FROM_SWEDEN } : {}),
    to: {
      account,
      contactInformation: { name: 'Acme', address: { streetName, buildingNumber, city, postCode, country } },
    },
    amount: { amount: '100', currency },
    dueDate: '2026-11-24',
    remittanceInformation: { unstructured: 'Invoice 1', additionalInformation: [...additionalInformation] },
  }
}

const validationErrorsOf = (order: ExchangeOrder): readonly ValidationError[] =>
  exchangeOrderErrors(order, HOURS_REPORTED)
const codesAt = (order: ExchangeOrder, path: string) =>
  validationErrorsOf(order).flatMap((validationError) => (validationError.path === path ? [validationError.code] : []))

function changedAccount(order: ExchangeOrder, changes: object): ExchangeOrder {
  return { ...order, to: { ...order.to, account: { ...order.to.account, ...changes } } }
}

test('there are more than a hundred countries, and nearly all of them can be paid in a currency that is exchanged', () => {
  expect(payable.length).toBeGreaterThan(95)
  expect(reachable.length).toBeGreaterThan(95)
})

describe('an order to each country', () => {
  const sound = reachable.map(({ country, requirements, currency }) => ({
    country,
    requirements,
    currency,
    order: orderTo(validDestination(requirements, currency)),
  }))

  test('passes with a valid creditor, for each kind of account number', () => {
    for (const { country, requirements, currency, order } of sound) {
      expect(validationErrorsOf(order), country).toEqual([])
      const local = validLocalDestination(requirements)
      expect(local === undefined ? [] : validationErrorsOf(orderTo({ ...local, currency })), country).toEqual([])
    }
  })

  test('is rejected without an account number, and with an invalid one', () => {
    for (const { country, order } of sound) {
      const none = changedAccount(order, { iban: undefined, bban: undefined })
      expect(codesAt(none, '.to.account'), country).toEqual(['InvalidBbanOrIban'])
      const { iban, bban } = order.to.account
      if (iban === undefined) {
        const wrong = changedAccount(order, { bban: `${bban}!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!` })
        expect(codesAt(wrong, '.to.account.bban'), country).toEqual(['InvalidRecipientInfo'])
      } else {
        const check = String((Number(iban.slice(2, 4)) + 1) % 100).padStart(2, '0')
        const wrong = changedAccount(order, { iban: iban.slice(0, 2) + check + iban.slice(4) })
        expect(codesAt(wrong, '.to.account.iban'), country).toEqual(['InvalidIban'])
      }
    }
  })

  test('is rejected without the additional information that the country requires', () => {
    for (const { country, requirements, order } of sound) {
      for (const [path, code, without] of lacking(order, requirements)) {
        expect(codesAt(without, path), `${country} ${path}`).toEqual([code])
      }
    }
  })

  test('is rejected in a currency in which creditors there are not paid', () => {
    for (const { country, requirements, order } of sound) {
      const other = CURRENCIES.find(
        ({ currency: one }) => !requirements.currencies.includes(one) && !['NOK', 'SEK'].includes(one),
      )
      const unpaid = { ...order, amount: { amount: '100', currency: other?.currency ?? '' } }
      expect(codesAt(unpaid, '.amount.currency'), country).toEqual(['InvalidCurrency'])
    }
  })

  test('is rejected with an invalid BIC', () => {
    for (const { country, order } of sound) {
      expect(codesAt(changedAccount(order, { bic: 'ABC' }), '.to.account.bic'), country).toEqual(['InvalidBIC'])
    }
  })

  test('is rejected where nothing is paid', () => {
    for (const { country } of listedCountries.filter(({ supported }) => !supported)) {
      const { contactInformation } = dollarOrder.to
      const address = { ...contactInformation.address, country }
      const to = { ...dollarOrder.to, contactInformation: { ...contactInformation, address } }
      const order = { ...dollarOrder, dueDate: '2026-11-24', to }
      expect(codesAt(order, '.to.contactInformation.address.country'), country).toEqual(['InvalidBeneficiaryCountry'])
    }
  })
})

/** The order without each required part, with the expected code and path. */
function* lacking(
  sound: ExchangeOrder,
  requirements: CountryRequirements,
): Generator<readonly [path: string, code: string, order: ExchangeOrder]> {
  const { address, clearingCode } = requirements
  for (const member of address.filter((name) => name !== 'country')) {
    const { contactInformation } = sound.to
    const without = { ...contactInformation, address: { ...contactInformation.address, [member]: '' } }
    const order = { ...sound, to: { ...sound.to, contactInformation: without } }
    yield [`.to.contactInformation.address.${member}`, 'InvalidToAddress', order]
  }
  if (clearingCode?.required === 'always') {
    const path = '.to.account.clearingCode'
    yield [path, 'InvalidRecipientInfo', changedAccount(sound, { clearingCode: undefined })]
  }
  const { currency } = sound.amount
  const { unstructured } = sound.remittanceInformation
  if (
    (['TaxCode', 'Reason', 'Purpose'] as const).some((type) => isInformationRequired(type, { currency }, requirements))
  ) {
    const path = '.remittanceInformation.additionalInformation'
    yield [path, 'InvalidRecipientInfo', { ...sound, remittanceInformation: { unstructured } }]
  }
}
