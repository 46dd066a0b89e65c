/** Tests the mapping of the provider's error codes, and that any response yields a valid value or an error. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomCases } from '../../../../setup/random-cases.ts'
import { BankUnreachable } from '../../../banks/connector/bank-error.ts'
import type { BankResponse } from '../../../banks/connector/connector-dependencies.ts'
import { openConnector, type TestConnector } from '../../testing/connector-for-tests.ts'
import { openRecordedProvider, type RecordedProvider, recorded } from '../../testing/recorded-provider.ts'
import { FxProviderError } from '../fx-provider-error.ts'
import { errorOfNoResponse, errorOfResponse } from './errors.ts'

function answer(status: number, errors: Readonly<Record<string, readonly string[]>>): BankResponse {
  const messages = Object.entries(errors).map(([field, codes]) => [
    field,
    codes.map((code) => ({ code, message: `${field} is wrong`, params: {} })),
  ])
  const body = JSON.stringify({ error_code: 'something_failed', error_messages: Object.fromEntries(messages) })
  return { status, headers: {}, body }
}

describe('an error code', () => {
  test.each([
    ['currency_pair', 'ccy_pair_is_not_tradeable', 'currency-not-traded', null],
    ['buy_currency', 'invalid_buy_currency', 'currency-not-traded', 'buyCurrency'],
    ['sell_currency', 'sell_currency_is_in_invalid_format', 'currency-not-traded', 'sellCurrency'],
    ['base', 'unique_value_parameters', 'currency-not-traded', null],
    ['base', 'crossing_cutoff_time', 'closed', null],
    ['base', 'invalid_hold_period', 'closed', null],
    ['base', 'held_rate_not_enabled', 'closed', null],
    ['x', 'currency_pair_not_available_for_weekend', 'closed', null],
    ['base', 'invalid_conversion_date', 'due-date-rejected', null],
    ['conversion_date', 'invalid_delivery_date', 'due-date-rejected', 'dueDate'],
    ['conversion_date', 'conversion_date_is_not_valid', 'due-date-rejected', 'dueDate'],
    ['payment_date', 'payment_date_is_in_the_past', 'due-date-rejected', 'dueDate'],
    ['payment_date', 'payment_date_is_too_early', 'due-date-rejected', 'dueDate'],
    ['x', 'variable_value_dates_not_permitted', 'due-date-rejected', null],
    ['amount', 'conversion_above_limit', 'limit', 'amount'],
    ['amount', 'conversion_below_limit', 'limit', 'amount'],
    ['amount', 'payment_above_limit', 'limit', 'amount'],
    ['amount', 'amount_is_too_small', 'limit', 'amount'],
    ['base', 'rate_could_not_be_retrieved', 'rate-not-available', null],
    ['base', 'quote_could_not_be_created', 'rate-not-available', null],
    ['base', 'missing_client_spread_table_data', 'rate-not-available', null],
    ['x', 'conversion_create_failed', 'rate-not-available', null],
    ['quote_id', 'quote_expired', 'quote-expired', null],
    ['quote_id', 'quote_not_found', 'quote-expired', null],
    ['quote_id', 'quote_already_used', 'quote-expired', null],
    ['conversion_id', 'conversion_is_already_settled', 'too-late', null],
    ['amount', 'amount_type_is_wrong', 'invalid', 'amountScale'],
    ['base', 'invalid_decimals', 'invalid', 'amountScale'],
    ['amount', 'amount_is_in_invalid_format', 'invalid', 'amountScale'],
    ['iban', 'iban_is_invalid', 'invalid', 'iban'],
    ['bic_swift', 'bic_swift_is_in_invalid_format', 'invalid', 'bic'],
    ['account_number', 'account_number_is_missing', 'invalid', 'bban'],
    ['routing_code_value_1', 'routing_code_value_1_is_too_short', 'invalid', 'clearingCode'],
    ['aba', 'aba_is_invalid', 'invalid', 'clearingCode'],
    ['bank_country', 'bank_country_is_not_supported', 'invalid', 'bankCountry'],
    ['currency', 'currency_code_is_invalid', 'invalid', 'currency'],
    ['beneficiary_country', 'beneficiary_country_is_in_invalid_format', 'invalid', 'country'],
    ['beneficiary_address', 'beneficiary_address_is_too_short', 'invalid', 'address.street'],
    ['beneficiary_city', 'beneficiary_city_is_missing', 'invalid', 'address.city'],
    ['beneficiary_postcode', 'beneficiary_postcode_is_missing', 'invalid', 'address.postCode'],
    ['beneficiary_state_or_province', 'beneficiary_state_or_province_is_missing', 'invalid', 'address.state'],
    ['beneficiary_company_name', 'company_name_contains_numbers', 'invalid', 'name'],
    ['purpose_code', 'incorrect_purpose_code', 'invalid', 'purposeCode'],
    ['payer_city', 'payer_city_is_missing', 'invalid', 'payer'],
    ['reference', 'reference_is_too_long', 'invalid', 'reference'],
    ['base', 'invalid_extra_parameters', 'invalid', null],
    ['constructor', 'toString', 'invalid', null],
  ] as const)('%s: %s is %s', (field, code, kind, part) => {
    expect(errorOfResponse('moves', answer(400, { [field]: [code] }))).toMatchObject({
      kind,
      validationErrors: [{ part, code }],
    })
  })

  test('is read without its text, and among damaged ones', () => {
    const error_messages = { iban: [{ code: 'iban_is_invalid', message: null }, { code: null }], base: null, x: 'y' }
    const body = JSON.stringify({ error_code: 'something_failed', error_messages })
    expect(errorOfResponse('moves', { status: 400, headers: {}, body })).toMatchObject({
      kind: 'invalid',
      validationErrors: [{ part: 'iban', code: 'iban_is_invalid', message: '' }],
    })
  })

  test('among several that is more severe decides, and none is lost', () => {
    const rejection = errorOfResponse('reads', answer(400, { iban: ['iban_is_invalid'], quote_id: ['quote_expired'] }))
    expect(rejection).toMatchObject({ kind: 'quote-expired', code: 'quote_expired' })
    expect(rejection.validationErrors.map(({ part }) => part)).toEqual(['iban', null])
  })

  test('with a status that leaves the outcome unknown does not make it known', () => {
    const rejection = errorOfResponse('moves', answer(500, { base: ['conversion_create_failed'] }))
    expect(rejection.kind).toBe('outcome-unknown')
  })
})

test.each([
  [401, 'login-rejected', 'login-rejected'],
  [403, 'login-rejected', 'login-rejected'],
  [404, 'unknown-resource', 'unknown-resource'],
  [408, 'unavailable', 'outcome-unknown'],
  [429, 'rate-limited', 'rate-limited'],
  [500, 'unavailable', 'outcome-unknown'],
  [502, 'unavailable', 'outcome-unknown'],
  [503, 'unavailable', 'outcome-unknown'],
  [504, 'unavailable', 'outcome-unknown'],
  [302, 'unavailable', 'outcome-unknown'],
])('%i is %s for a read and %s for an order', (status, ofRead, ofMoney) => {
  const response = { status, headers: {}, body: '<html>' }
  expect([errorOfResponse('reads', response).kind, errorOfResponse('moves', response).kind]).toEqual([ofRead, ofMoney])
})

test.each([
  [false, 'unavailable', 'unavailable'],
  [true, 'unavailable', 'outcome-unknown'],
])('no response to a request that was sent (%s) is %s for a read and %s for an order', (sent, ofRead, ofMoney) => {
  const silence = new BankUnreachable('reset', sent)
  expect([errorOfNoResponse('reads', silence).kind, errorOfNoResponse('moves', silence).kind]).toEqual([
    ofRead,
    ofMoney,
  ])
})

describe('any response', () => {
  let played: RecordedProvider
  let connector: TestConnector
  beforeAll(async () => {
    played = await openRecordedProvider()
    connector = openConnector(played.url)
  })
  afterAll(async () => {
    await connector.close()
    await played.close()
  })

  const sound = [
    recorded('detailed-rate'),
    recorded('held-quote'),
    recorded('funding-transaction'),
    recorded('payment-created'),
    recorded('conversion-cancelled'),
    { status: 200, body: { conversions: [{}], payments: [{}], pagination: {} } },
  ]
  /** Responses that are nearly valid, with one field missing or changed, and completely invalid ones. */
  const bodies = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({ from: fc.constantFrom(...sound), at: fc.nat(), with: fc.jsonValue() })
      .map(({ from, at, with: value }) => {
        const members = Object.keys(from.body)
        return JSON.stringify({ ...from.body, [members[at % members.length] ?? '']: value })
      }),
  )
  const statuses = fc.constantFrom(200, 200, 200, 204, 301, 400, 404, 409, 422, 500)

  test('is a valid value or an error, and never anything else', async () => {
    await fc.assert(
      fc.asyncProperty(statuses, bodies, async (status, body) => {
        for (const question of QUESTIONS) {
          played.answer(question, { status, body })
        }
        const amount = { minor: 10_000n, currency: 'GBP' }
        const requested = {
          buyCurrency: 'GBP',
          sellCurrency: 'USD',
          fixedSide: 'buy',
          amount,
          conversionDate: null,
        } as const
        const { provider } = connector
        const all = [
          provider.rate(requested),
          provider.quote({ ...requested, holdSeconds: 120 }),
          provider.readConversion('1'),
          provider.findConversion('1'),
          provider.cancelConversion('1'),
          provider.readPayout('1'),
          provider.readInboundFunds('1'),
          provider.intermediaryAccount({ currency: 'GBP', country: 'GB' }),
        ]
        for (const settled of await Promise.allSettled(all)) {
          expect(settled.status === 'fulfilled' || settled.reason instanceof FxProviderError).toBe(true)
        }
      }),
      { numRuns: randomCases(500) },
    )
  })
})

const QUESTIONS = [
  'GET /v2/rates/detailed',
  'POST /v2/quotes/create',
  'GET /v2/conversions/1',
  'GET /v2/conversions/find',
  'GET /v2/conversions/profit_and_loss',
  'POST /v2/conversions/1/cancel',
  'GET /v2/payments/1',
  'GET /v2/funding_transactions/1',
  'GET /v2/funding_accounts/find',
]
