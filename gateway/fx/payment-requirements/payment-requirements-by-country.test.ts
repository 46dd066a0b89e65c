/** Tests the payment requirements of every country, and that orders which meet them are accepted. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaProblems } from '../../../conformance/validation/validate-answer.ts'
import { type PaymentRequirement, PaymentRequirement as PaymentRequirementSchema } from '../../../contract/countries.ts'
import { randomCases } from '../../../setup/random-cases.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { destinationErrors } from '../../countries/destinations/destination-validation.ts'
import { listedCountries, requirementsOf } from '../../countries/destinations/requirements-table.ts'
import { ibanCheckDigits } from '../../countries/number-checks.ts'
import { sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { currencyRules } from '../availability/currency-rules.ts'
import { paymentRequirementOf } from './get-payment-requirement.ts'

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway)
})
afterAll(() => gateway.close())

const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const get = (path: string) => sendRawRequest(gateway, ['GET', path], { headers })
const payable = listedCountries.filter(({ supported }) => supported).map(({ country }) => country)
const blocked = listedCountries.filter(({ supported }) => !supported).map(({ country }) => country)

describe('the countries', () => {
  test('are listed by name, with the currencies in which creditors there are paid', async () => {
    const { status, body } = await get('/api/country')
    const listed: readonly { name: string; country: string }[] = Object.values(Object(body))
    expect(status).toBe(200)
    expect(listed.length).toBe(listedCountries.length)
    expect(body).toContainEqual({ country: 'US', name: 'United States', currencies: ['USD'], supported: true })
    expect(body).toContainEqual({ country: 'IR', name: 'Iran', currencies: [], supported: false })
    const names = listed.map(({ name }) => name)
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')))
  })

  test('have a currency that can be exchanged, and their requirements match the contract', () => {
    for (const country of payable) {
      const requirement = paymentRequirementOf(country, undefined)
      expect(schemaProblems('PaymentRequirement', PaymentRequirementSchema, asSent(requirement)), country).toEqual([])
      expect(requirement.currencies.length, country).toBeGreaterThan(0)
    }
  })

  test.each(['US', 'GB', 'DE', 'BR'])('%s is returned as it is required', async (country) => {
    const { status, body } = await get(`/api/country/${country}/paymentrequirement`)
    expect([status, body]).toEqual([200, paymentRequirementOf(country, undefined)])
  })

  test('have patterns that match their examples, as regular expressions and in HTML forms', () => {
    for (const [country, pattern, example] of payable.flatMap(examplesOf)) {
      for (const flags of ['', 'u', 'v']) {
        expect(new RegExp(pattern, flags).test(example), `${country} ${pattern} ${example}`).toBe(true)
      }
    }
  })

  function examplesOf(country: string): readonly (readonly [country: string, pattern: string, example: string])[] {
    const { account, otherAccount, clearingCode, address, remittanceInformation, additionalInformation } =
      paymentRequirementOf(country, undefined)
    const { postCodePattern = '', postCodeExample = '' } = address ?? {}
    const [codePattern, codeExample] = [clearingCode?.pattern ?? '', clearingCode?.example ?? '']
    const pairs: readonly (readonly [pattern: string, example: string])[] = [
      [account?.pattern ?? '-', account?.example ?? ''],
      [otherAccount?.pattern ?? '', otherAccount?.example ?? ''],
      [codePattern, codeExample],
      [postCodePattern, postCodeExample],
      [remittanceInformation?.pattern ?? '-', 'Invoice 20455 (part 1/2)'],
      ...additionalInformation
        .filter(({ values }) => values.length === 0)
        .map(({ pattern = '', example }) => [pattern, example.replace(/(?<=\d)[-./](?=[\dK])/g, '')] as const),
    ]
    return pairs.map(([pattern, example]) => [country, pattern, example])
  }

  test('are reported as unsupported where nothing is paid', () => {
    for (const country of blocked) {
      const requirement = paymentRequirementOf(country, undefined)
      expect(requirement).toMatchObject({ country, supported: false, currencies: [], additionalInformation: [] })
      expect(asSent(requirement), country).not.toHaveProperty('account')
      expect(schemaProblems('PaymentRequirement', PaymentRequirementSchema, asSent(requirement)), country).toEqual([])
    }
  })

  test('that are not supported are found, too', async () => {
    const { status, body } = await get('/api/country/IR/paymentrequirement')
    expect([status, body]).toEqual([200, asSent(paymentRequirementOf('IR', undefined))])
  })

  test('may be requested in lower case; others do not exist', async () => {
    expect(await get('/api/country/us/paymentrequirement')).toMatchObject({ status: 200, body: { country: 'US' } })
    for (const country of ['VE', 'XX', 'USA', 'constructor', '%00']) {
      expect((await get(`/api/country/${country}/paymentrequirement`)).status).toBe(404)
    }
  })
})

describe('the requirement of one currency', () => {
  test('contains what is required in that currency', async () => {
    const [ringgit, dollars] = await Promise.all([
      get('/api/country/MY/paymentrequirement?currency=MYR'),
      get('/api/country/MY/paymentrequirement?currency=USD'),
    ])
    expect(ringgit.body).toMatchObject({
      currencies: [{ currency: 'MYR' }],
      additionalInformation: [{ required: true }],
    })
    expect(dollars.body).toMatchObject({
      currencies: [{ currency: 'USD' }],
      additionalInformation: [{ required: false }],
    })
  })

  test('contains the amount above which more is required', async () => {
    const requiredAbove = { amount: '10000000.00', currency: 'TRY' }
    expect((await get('/api/country/TR/paymentrequirement?currency=TRY')).body).toMatchObject({
      additionalInformation: [{ type: 'Purpose', required: false, requiredAbove }],
    })
  })

  test.each(['SEK', 'ZZZ', 'usd', 'US'])('is rejected where creditors are not paid in it: %s', async (currency) => {
    const { status, body } = await get(`/api/country/US/paymentrequirement?currency=${currency}`)
    expect(status).toBe(422)
    expect(body).toMatchObject([{ code: 'InvalidRequest', path: '.currency' }])
  })
})

describe('the codes of regulatory reporting', () => {
  test.each([
    ['NO', '100000.00', 'NOK', 16, 35],
    ['SE', '150000.00', 'SEK', 84, 0],
  ])('of %s', async (country, amount, currency, count, informationMaxLength) => {
    const { status, body } = await get(`/api/v2/payments/regulatory-reporting/${country.toLowerCase()}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ countryCode: country, threshold: { amount, currency }, informationMaxLength })
    expect(Object(body).codes).toHaveLength(count)
  })

  test.each(['DK', 'FI'])('of %s are empty', async (country) => {
    const { status, body } = await get(`/api/v2/payments/regulatory-reporting/${country}`)
    expect([status, body]).toEqual([200, { countryCode: country, informationMaxLength: 0, codes: [] }])
  })

  test.each(['DE', 'constructor'])('of %s do not exist', async (country) => {
    expect((await get(`/api/v2/payments/regulatory-reporting/${country}`)).status).toBe(404)
  })
})

describe('a caller without a token', () => {
  test.each(['/api/country', '/api/country/US/paymentrequirement', '/api/v2/payments/regulatory-reporting/NO'])(
    'is rejected: %s',
    async (path) => {
      expect((await sendRawRequest(gateway, ['GET', path], {})).status).toBe(401)
    },
  )
})

/** Numbers whose check digits the pattern does not contain are taken from the examples. */
const CHECKED_BESIDES = ['USABA', 'CNAPS']
const CHECKED_ACCOUNTS = ['AR', 'MA', 'MX', 'NG', 'NZ', 'PE']
const NORDICS = ['NO', 'SE', 'DK', 'FI']

const textsByPattern = new Map<string, fc.Arbitrary<string>>()

/** Made once for each pattern: that takes longer than generating texts of it. */
const textMatching = (pattern: string) =>
  textsByPattern.getOrInsertComputed(pattern, () => fc.stringMatching(new RegExp(pattern)))

/** A destination built only from the response. */
function following(shown: PaymentRequirement, currency: string): fc.Arbitrary<Destination> {
  const { country, account, clearingCode, address, additionalInformation } = shown
  if (account === undefined || address === undefined) {
    throw new Error(`Nothing is paid to ${country}`)
  }
  const bankCountry = account.identifier === 'iban' ? account.example.slice(0, 2) : country
  const text = (pattern: string | undefined, example: string) =>
    pattern === undefined ? fc.constant(example) : textMatching(pattern)
  return fc.record({
    account: fc
      .tuple(numberOf(shown, account), clearingCode?.required === true ? codeOf(clearingCode) : fc.constant(null))
      .map(([number, code]) => ({
        ...number,
        bic: `HAVN${bankCountry}2X`,
        ...(code === null ? {} : { clearingCode: code }),
      })),
    address: fc.record({
      country: fc.constant(country),
      city: fc.constant('Town'),
      streetName: fc.constant('Main Street'),
      buildingNumber: fc.constant('1'),
      postCode: text(address.postCodePattern, '00000'),
    }),
    currency: fc.constant(currency),
    additionalInformation: fc.tuple(
      ...additionalInformation
        .filter(({ required }) => required)
        .map(({ type, values, example }) =>
          fc.constantFrom(example, ...values.map(({ code }) => code)).map((value) => ({ type, value })),
        ),
    ),
    message: fc.constant('Invoice 20455'),
  })
}

function numberOf(
  shown: PaymentRequirement,
  account: NonNullable<PaymentRequirement['account']>,
): fc.Arbitrary<{ readonly bban: string } | { readonly iban: string }> {
  const { identifier, pattern, example } = account
  if (identifier === 'bban') {
    const isExample = CHECKED_ACCOUNTS.includes(shown.country)
    return (isExample ? fc.constant(example) : textMatching(pattern)).map((bban) => ({ bban }))
  }
  if (NORDICS.includes(example.slice(0, 2))) {
    return fc.constant({ iban: example })
  }
  return textMatching(pattern)
    .filter((text) => !/^0+$/.test(text.slice(4)))
    .map((text) => ({ iban: text.slice(0, 2) + ibanCheckDigits(text.slice(0, 2), text.slice(4)) + text.slice(4) }))
}

function codeOf({ scheme = '', pattern = '', example = '' }: NonNullable<PaymentRequirement['clearingCode']>) {
  return CHECKED_BESIDES.includes(scheme) ? fc.constant(example) : textMatching(pattern)
}

describe('a destination that meets the requirements', () => {
  const shownByCurrency = payable.flatMap((country) =>
    (requirementsOf(country)?.currencies ?? [])
      .filter((currency) => currencyRules(currency) !== undefined)
      .map((currency) => [country, currency, paymentRequirementOf(country, currency)] as const),
  )

  test('is not rejected, and is rejected without any required part', () => {
    for (const [country, currency, shown] of shownByCurrency) {
      fc.assert(
        fc.property(following(shown, currency), (destination) => {
          expect(destinationErrors(destination), `${country} ${currency}`).toEqual([])
          for (const [part, without] of withoutEachPart(destination, shown)) {
            expect(destinationErrors(without), `${country} ${currency} without ${part}`).not.toEqual([])
          }
        }),
        { numRuns: randomCases(30) },
      )
    }
  })

  test('is not rejected in any currency where it was requested without one', () => {
    for (const country of payable) {
      const shown = paymentRequirementOf(country, undefined)
      for (const { currency } of shown.currencies) {
        fc.assert(
          fc.property(following(shown, currency), (destination) => {
            expect(destinationErrors(destination), `${country} ${currency}`).toEqual([])
          }),
          { numRuns: randomCases(10) },
        )
      }
    }
  })
})

/** The destination less each part that is shown as required. */
function withoutEachPart(
  destination: Destination,
  shown: PaymentRequirement,
): readonly (readonly [part: string, without: Destination])[] {
  const { account, address, additionalInformation } = destination
  const { iban: _iban, bban: _bban, ...unnamed } = account
  const { clearingCode: _code, ...codeless } = account
  return [
    ['account', { ...destination, account: unnamed }],
    ['bic', { ...destination, account: { ...account, bic: '' } }],
    ...(shown.clearingCode?.required === true
      ? [['clearingCode', { ...destination, account: codeless }] as const]
      : []),
    ...(shown.address?.bankFields ?? []).map(
      (member) => [member, { ...destination, address: { ...address, [member]: '' } }] as const,
    ),
    ...additionalInformation.map(
      (_reported, index) =>
        [
          `additionalInformation[${index}]`,
          { ...destination, additionalInformation: additionalInformation.toSpliced(index, 1) },
        ] as const,
    ),
  ]
}
