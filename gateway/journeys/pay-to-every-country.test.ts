/** Shows that creditors in countries of each kind can be quoted and paid, and that each invalid field has its error code. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dollarOrder } from '../../contract/examples/fx.ts'
import { isInformationRequired } from '../countries/destinations/additional-information-validation.ts'
import type { Destination, InformationType } from '../countries/destinations/destination.ts'
import {
  type CountryRequirements,
  listedCountries,
  requirementsOf,
} from '../countries/destinations/requirements-table.ts'
import { currencyRules } from '../fx/availability/currency-rules.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../testing/fx/fx-provider-fixture.ts'
import { exchangeOrder, moveToHour } from '../testing/fx/sample-exchange-orders.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment } from '../testing/payments/sample-cross-border-payments.ts'
import { validDestination } from '../testing/payments/valid-destination.ts'

/** A hundred requests in long runs, on a slow and busy machine. */
const TEST_MILLISECONDS = 180_000
const BANK = nordicBank('FJORNO22')
/** In long runs a creditor in every country; otherwise one of each kind. */
const TESTS_EVERY_COUNTRY = process.env['HAVN_PAID_COUNTRIES'] !== undefined
const EURO_ACCOUNT = { bban: '80501100076', currency: 'EUR' }

let stage: GatewayWithFx
let headers: Record<string, string>
beforeAll(async () => {
  stage = await startGatewayWithFx()
  await moveToHour(stage.gateway, '09:00')
  const { consentId } = await openPaymentDriver(stage.gateway).consentOf(BANK)
  headers = await validHeaders(stage.gateway, consentId)
})
afterAll(() => stage.close())

/** The request of an operation for a payment to a creditor, and the codes with which it rejects one. */
type Way = {
  readonly name: string
  /** The currency in which creditors in a country are paid here; undefined if there is none. */
  currencyIn(requirements: CountryRequirements): string | undefined
  send(destination: Destination): Promise<Answer>
  readonly codes: Readonly<Record<'iban' | 'number' | 'clearingCode' | 'information', string>>
}

const quoting: Way = {
  name: 'validated for exchange',
  currencyIn: ({ currencies }) =>
    currencies.find((currency) => currency !== 'NOK' && currencyRules(currency) !== undefined),
  send: async ({ account, address, currency, additionalInformation, message = '' }) =>
    await sendRawRequest(stage.gateway, ['POST', '/api/fx/payments/validate'], {
      headers: { authorization: headers['authorization'] },
      body: exchangeOrder(stage.gateway, {
        to: {
          account: { ...account },
          contactInformation: { name: dollarOrder.to.contactInformation.name, address: defined(address) },
        },
        amount: { amount: '1000', currency },
        remittanceInformation: { unstructured: message, additionalInformation: [...additionalInformation] },
      }),
    }),
  codes: {
    iban: 'InvalidIban',
    number: 'InvalidRecipientInfo',
    clearingCode: 'InvalidRecipientInfo',
    information: 'InvalidRecipientInfo',
  },
}

const paying: Way = {
  name: 'paid by the bank',
  currencyIn: () => EURO_ACCOUNT.currency,
  send: async ({ account: { iban, bban, bic, clearingCode }, address, additionalInformation, message = '' }) => {
    const order = crossBorderPayment(stage.gateway, BANK, EURO_ACCOUNT)
    const number = iban === undefined ? { type: 'bban', bban } : { type: 'iban', iban }
    return await sendRawRequest(stage.gateway, ['POST', '/api/v2/payments/cross-border'], {
      headers,
      body: {
        ...order,
        to: { account: { ...number, bic, clearingCode }, contactInformation: { name: 'Receiver', address } },
        remittanceInformation: { message, additionalInformation },
      },
    })
  },
  codes: {
    iban: 'InvalidIbanFormat',
    number: 'InvalidBbanOrIban',
    clearingCode: 'InvalidRequest',
    information: 'InvalidRequest',
  },
}

/** What a country requires, and a creditor there. */
type Row = { readonly requirements: CountryRequirements; readonly sound: Destination }
const nameOf = ({ requirements, sound }: Row) => `In ${requirements.country} in ${sound.currency}`

const payable = listedCountries.flatMap(({ country }) => requirementsOf(country) ?? [])

describe.each([quoting, paying])('a creditor that is $name', (way) => {
  const rows = payable.flatMap((requirements) => {
    const currency = way.currencyIn(requirements)
    return currency === undefined ? [] : [{ requirements, sound: { ...validDestination(requirements), currency } }]
  })

  // Countries that reject the same parts need one example.
  const byParts = new Map(rows.map((row) => [partsOf(row, way.codes), row]))

  // `destination-validation-by-country.test.ts` shows that our rules accept it in every country.
  test('is accepted', { timeout: TEST_MILLISECONDS }, async () => {
    await forEachRow(TESTS_EVERY_COUNTRY ? rows : byParts.values(), nameOf, async ({ sound }) => {
      const { status, body } = await way.send(sound)
      expect([body, status]).toEqual([expect.anything(), 200])
    })
  })

  // `destination-validation-by-country.test.ts` shows which of them each country rejects.
  test('is rejected with the code of each invalid part', { timeout: TEST_MILLISECONDS }, async () => {
    expect(byParts.size).toBeGreaterThan(5)
    await forEachRow(byParts.values(), nameOf, async (row) => {
      for (const [part, code, broken] of brokenIn(row, way.codes)) {
        const { status, body } = await way.send(broken)
        const codes = Object.values(Object(body)).map((validationError) => Object(validationError).code)
        expect([part, status, codes]).toEqual([part, 422, [code]])
      }
    })
  })
})

/** Each variant has one error, in the named part. */
function brokenIn(
  { requirements, sound }: Row,
  codes: Way['codes'],
): readonly (readonly [part: string, code: string, broken: Destination])[] {
  const { account, address, currency } = sound
  const { iban, clearingCode } = account
  const { clearingCode: _code, ...codeless } = account
  const needsCode = clearingCode !== undefined && requirements.clearingCode?.required === 'always'
  return [
    iban === undefined
      ? ['number', codes.number, { ...sound, account: { ...account, bban: '?' } }]
      : ['iban', codes.iban, { ...sound, account: { ...account, iban: withOtherCheckDigits(iban) } }],
    ...(iban === undefined
      ? []
      : [['bic', 'IbanBicMismatch', { ...sound, account: { ...account, bic: bicElsewhere(iban) } }] as const]),
    ...(needsCode ? [['clearingCode', codes.clearingCode, { ...sound, account: codeless }] as const] : []),
    ['city', 'InvalidToAddress', { ...sound, address: { ...address, city: ' ' } }],
    ...(requirements.postCode === undefined
      ? []
      : [['postCode', 'InvalidToAddress', { ...sound, address: { ...address, postCode: 'none' } }] as const]),
    ...(['TaxCode', 'Reason', 'Purpose'] as const)
      .filter((type) => isInformationRequired(type, { currency }, requirements))
      .map((type) => [type, codes.information, without(sound, type)] as const),
  ]
}

/** The parts of a creditor that its country requires. */
function partsOf(row: Row, codes: Way['codes']): string {
  const broken = brokenIn(row, codes)
  return broken.map(([part]) => part).join()
}

function withOtherCheckDigits(iban: string): string {
  const digits = Number(iban.slice(2, 4))
  return `${iban.slice(0, 2)}${String(digits === 97 ? 96 : digits + 1).padStart(2, '0')}${iban.slice(4)}`
}

/** A bank in a country without further requirements, so that the mismatch is the only error. */
function bicElsewhere(iban: string): string {
  return iban.startsWith('DE') ? 'HAVNAT2X' : 'HAVNDE2X'
}

function without(sound: Destination, type: InformationType): Destination {
  return { ...sound, additionalInformation: sound.additionalInformation.filter((reported) => reported.type !== type) }
}

function defined({ country, ...members }: Destination['address']) {
  const { streetName = '', buildingNumber = '', city = '', postCode = '' } = members
  return { country, streetName, buildingNumber, city, postCode }
}
