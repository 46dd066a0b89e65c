/** Tests that accounts are matched in every format of their number, and by their IBAN where banks report no more. */
import { describe, expect, test } from 'vitest'
import type { BankAccount } from '../../banks/connector/bank-account.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/bank-profile.ts'
import { hashToken } from '../../platform/ids.ts'
import { accountsOfCompany, matchesAccountNumber } from './consent-account.ts'

const [profile] = [...(await readBankProfiles(BANK_PROFILES_FOLDER)).values()]
if (profile === undefined) {
  throw new Error('There is no bank profile')
}
const bankIn = (countryCode: string): Bank => {
  const row = {
    bic: 'TESTXX22',
    name: 'Testbanken',
    connector: 'berlin-group',
    address: '',
    linkHosts: [],
    certificate: null,
  }
  return { ...row, countryCode, profile }
}
const company = { partnerId: '01a207a2-0000-7000-8000-000000000001', name: 'Handel AB' }
const shown: BankAccount = {
  resourceId: 'a',
  bban: null,
  iban: null,
  bic: null,
  name: null,
  ownerName: 'Handel AB',
  currency: 'SEK',
  type: 'Current',
  payable: null,
}

const context = { digest: async (text: string) => hashToken(text) }

async function stored(country: string, account: Partial<BankAccount>) {
  const { accounts } = await accountsOfCompany(context, bankIn(country), company, [{ ...shown, ...account }])
  const [first] = accounts
  if (first === undefined) {
    throw new Error('The account is not kept')
  }
  return first
}

describe('an account is stored by its normalised number', () => {
  test.each([
    ['NO', { bban: '8050 11 00017' }, '80501100017'],
    ['SE', { bban: '5439-1024039' }, '54391024039'],
    ['SE', { bban: '6000-806967498' }, '6000806967498'],
    ['SE', { bban: '8327-9 33395390-9' }, '832790333953909'],
    ['DK', { bban: '0040440116243' }, '00400440116243'],
    ['DK', { bban: '00400440116243' }, '00400440116243'],
    ['FI', { bban: 'FI2112345600000785' }, '12345600000785'],
    ['FI', { iban: 'FI2112345600000785' }, '12345600000785'],
    ['SE', { iban: 'SE4450000000054391024039' }, '54391024039'],
    ['NO', { iban: 'NO9386011117947' }, '86011117947'],
    ['NO', { bban: 'konto 1', iban: 'NO9386011117947' }, '86011117947'],
    ['FI', { iban: 'FI85 7981 2345 6789 00' }, 'FI8579812345678900'],
    ['FI', { bban: '79812345678900', iban: 'FI8579812345678900' }, 'FI8579812345678900'],
  ])('in %s %o as %s', async (country, account, bban) => {
    expect((await stored(country, account)).bban).toBe(bban)
  })

  test('unless it is invalid by our rules: then as the bank reports it', async () => {
    expect((await stored('NO', { bban: '80501100018' })).bban).toBe('80501100018')
  })

  test('or by its IBAN only, where that does not contain the clearing number', async () => {
    const iban = 'SE5460000000000806967498'
    expect(await stored('SE', { iban })).toMatchObject({ bban: null, iban })
  })
})

test('has the same stableId however the bank formats it', async () => {
  const [one, other] = [await stored('DK', { bban: '0040440116243' }), await stored('DK', { bban: '0040 0440116243' })]
  expect(one.stableId).toBe(other.stableId)
  expect(one.stableId).not.toBe((await stored('DK', { bban: '0040440116244' })).stableId)
})

test('an account that the bank lists twice counts once, as it is listed first', async () => {
  const iban = 'NO9386011117947'
  const listed = [
    { resourceId: 'a', iban, name: 'first' },
    { resourceId: 'a', iban: 'NO5480501100017', name: 'same id' },
    { resourceId: 'b', iban, name: 'same number' },
    { resourceId: 'c', iban, name: 'other currency', currency: 'EUR' },
    { resourceId: 'd', name: 'no number' },
    { resourceId: 'e', name: 'no number either' },
  ].map((account) => ({ ...shown, currency: 'NOK', ...account }))
  const { accounts, excluded } = await accountsOfCompany(context, bankIn('NO'), company, listed)
  expect(accounts.map(({ name }) => name)).toEqual(['first', 'other currency', 'no number', 'no number either'])
  expect(excluded).toBe(0)
})

test('accounts of other owners are counted, each once; the name of the company may be spelled in any way', async () => {
  const listed = [
    { resourceId: 'a', ownerName: 'HANDEL AKTIEBOLAG\u200b' },
    { resourceId: 'b', ownerName: null },
    { resourceId: 'c', ownerName: 'Handelsbolaget Handel' },
    { resourceId: 'd', ownerName: 'Anna Andersson' },
    { resourceId: 'd', ownerName: 'Anna Andersson' },
  ].map((account) => ({ ...shown, ...account }))
  const { accounts, excluded } = await accountsOfCompany(context, bankIn('SE'), company, listed)
  expect([accounts.map(({ resourceId }) => resourceId), excluded]).toEqual([['a', 'b'], 2])
})

describe('an account matches the requested one', () => {
  const requested = { bban: '6000806967498', iban: 'SE5460000000000806967498' }

  test('by its number', async () => {
    expect(matchesAccountNumber({ bban: '6000806967498', iban: null }, requested)).toBe(true)
    expect(matchesAccountNumber({ bban: '6000806967499', iban: requested.iban }, requested)).toBe(false)
  })

  test('by its IBAN, where it has no number', async () => {
    expect(matchesAccountNumber({ bban: null, iban: requested.iban }, requested)).toBe(true)
    expect(matchesAccountNumber({ bban: null, iban: null }, { ...requested, iban: null })).toBe(false)
  })
})
