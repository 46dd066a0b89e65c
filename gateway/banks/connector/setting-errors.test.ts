/** Shows how the errors of a profile read. */
import { expect, test } from 'vitest'
import shipped from '../../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import { bankProfileErrors } from '../directory/validate-bank-profile.ts'
import { profileContradictions } from '../standards/berlin-group/connector.ts'
import { dialectErrors } from '../standards/berlin-group/dialect.ts'

const KIND = { dialectErrors, contradictions: profileContradictions }

test('all errors of all parts of a profile are named at once, in words', () => {
  const { timeZone: _zone, ...rest } = shipped
  const text = JSON.stringify({
    ...rest,
    timezone: 'Europe/Oslo',
    oauth: 'sometimes',
    baskets: { max: 1, domesticOnly: 'no' },
    scaMethods: ['Redirect', 'Qr'],
    amountMax: { kroner: '1.00', NOK: 'many' },
    constraints: { ...shipped.constraints, maxBulkSize: 'x', cancelSCARequired: false },
    dialect: {
      ...shipped.dialect,
      crossBorder: undefined,
      products: { account: 'a', bankgiro: 'b' },
      accounts: 'giro',
      signature: { order: 'random' },
      purpose: true,
    },
  })
  const headers = '"date", "digest", "x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri"'
  const found = bankProfileErrors('norwegian-redirect.json', text, KIND)
  const expected = [
    '/timeZone: is missing; it is a time zone such as "Europe/Oslo"',
    '/oauth: must be one of "none", "integrated", "pre-step"; it is "sometimes"',
    '/baskets/max: must be a whole number of at least 2; it is 1',
    '/baskets/domesticOnly: must be true or false; it is "no"',
    '/amountMax/kroner: 1.00 is not an amount in kroner; write e.g. "1000.00"',
    '/amountMax/NOK: many is not an amount in NOK; write e.g. "1000.00"',
    '/constraints/maxBulkSize: must be a whole number of at least 1, or null; it is "x"',
    '/timezone: is not a field of profiles; remove it, or correct its name (missing here: timeZone)',
    '/constraints/cancelSCARequired and /cancellation contradict each other: the first is true exactly where the second is "after-signing"',
    '/scaMethods and /scaApproaches contradict each other: list Redirect always, and Qr exactly where the approaches have "qr"',
    '/dialect/accounts: must be one of "bban", "iban"; it is "giro"',
    `/dialect/signature/headers: is missing; it is a list with at least 2, without duplicates, of which each is one of ${headers}`,
    '/dialect/signature/algorithm: is missing; it is one of "rsa-sha256", "rsa-sha512"',
    '/dialect/signature/digest: is missing; it is one of "SHA-256", "SHA-512"',
    '/dialect/signature/keyIdSpaces: is missing; it is one of "escaped", "plain"',
    '/dialect/signature/certificate: is missing; it is one of "der", "pem"',
    '/dialect/signature/order: must be one of "listed", "sorted"; it is "random"',
    '/rails/bankgiro: is missing; describe the rail of /dialect/products/bankgiro, or remove that',
    '/crossBorder and /dialect/crossBorder contradict each other: give both, or neither',
    '/dialect/purpose: is not a field of profiles; remove it, or correct its name',
  ]
  expect(found.toSorted()).toEqual(expected.toSorted())
  expect(bankProfileErrors('x.json', '{ "name": }', KIND)).toEqual([
    expect.stringContaining('Bank profile x.json is not JSON: Unexpected token'),
  ])
  expect(bankProfileErrors('x.json', '[]', KIND)).toEqual([
    expect.stringContaining('/: must be an object with name, timeZone'),
  ])
})
