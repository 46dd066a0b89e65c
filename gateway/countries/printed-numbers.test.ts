/** Tests that account and organisation numbers are formatted as they are printed in each country. */
import { expect, test } from 'vitest'
import testVectors from '../../data/test-vectors.json' with { type: 'json' }
import { formatAccountNumber } from './account-number.ts'
import { formatOrganisationNumber, rulesByCountry } from './served-countries.ts'

test.each([
  ['NO', '80501200011', '8050.12.00011'],
  ['SE', '54391024039', '5439-1024039'],
  ['SE', '33008009286249', '3300-8009286249'],
  ['SE', '6000123456789', '6000-123456789'],
  ['SE', '832790333953909', '8327-9,333953909'],
  ['SE', '810590000000012', '8105-9,12'],
  ['SE', '5402-9681', 'Bankgiro 5402-9681'],
  ['SE', '100-1234', 'Bankgiro 100-1234'],
  ['SE', '100008-4', 'Plusgiro 10 00 08-4'],
  ['SE', '90200-3', 'Plusgiro 9 02 00-3'],
  ['SE', '1-8', 'Plusgiro 1-8'],
  ['DK', '12340012345678', '1234 0012345678'],
  ['DK', '81234567', 'Kreditornummer 81234567'],
  ['DK', '1234567', 'Girokonto 1234567'],
  ['FI', '12345600000785', 'FI21 1234 5600 0007 85'],
  ['FI', 'FI2112345600000785', 'FI21 1234 5600 0007 85'],
  ['NO', 'DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
  ['', '80501200011', '80501200011'],
  ['NO', 'some text', 'some text'],
] as const)('an account number of %s, %s, is printed as %s', (country, bban, printed) => {
  expect(formatAccountNumber(country, bban)).toBe(printed)
})

test.each([
  ['NO', '999999999', '999 999 999'],
  ['SE', '5566778899', '556677-8899'],
  ['DK', '12345678', '12 34 56 78'],
  ['FI', '1234567-8', '1234567-8'],
  ['DE', 'HRB 12', 'HRB 12'],
  ['NO', 'unknown', 'unknown'],
] as const)('an organisation number of %s, %s, is printed as %s', (country, number, printed) => {
  expect(formatOrganisationNumber(country, number)).toBe(printed)
})

test('a printed account number is accepted, as the number that it was', () => {
  const { seAccount, bankgiro, plusgiro, dkAccount } = testVectors.suites
  const inputs = [
    ...[...seAccount, ...bankgiro, ...plusgiro].map(({ input }) => ['SE', input] as const),
    ...dkAccount.map(({ input }) => ['DK', input] as const),
    ['NO', '86011117947'] as const,
    ['FI', '12345600000785'] as const,
  ]
  const bbans = inputs.flatMap(([country, input]) => {
    const checked = rulesByCountry[country].checkAccountNumber(input)
    return checked.ok ? [[country, checked.bban] as const] : []
  })
  expect(bbans.length).toBeGreaterThan(20)
  for (const [country, bban] of bbans) {
    // The names of giros are written as BG and PG where they are typed.
    const typed = formatAccountNumber(country, bban).replace('Bankgiro', 'BG').replace('Plusgiro', 'PG')
    const again = rulesByCountry[country].checkAccountNumber(typed)
    expect(again.ok ? again.bban : again.reason, `${bban} as ${typed}`).toBe(bban)
  }
})
