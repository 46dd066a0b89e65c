/** Tests which accounts of a bank are one, keep their ids, belong to the company, and match a requested number. */
import { describe, expect, test } from 'vitest'
import type { Bank } from '../../banks/connector/bank.ts'
import type { BankAccount } from '../../banks/connector/bank-account.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import { sampleBank } from '../../banks/testing/samples.ts'
import { hashToken } from '../../platform/ids.ts'
import { accountsOfCompany, matchesAccountNumber, withKnownAccounts } from './consent-account.ts'

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
  return sampleBank({ ...row, countryCode, profile })
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

const [IBAN, BBAN, OTHER_IBAN, OTHER_BBAN] = ['NO9386011117947', '86011117947', 'NO5480501100017', '80501100017']
const listed = (accounts: readonly Partial<BankAccount>[]) =>
  accountsOfCompany(
    context,
    bankIn('NO'),
    company,
    accounts.map((account) => ({ ...shown, currency: 'NOK', ...account })),
  )

test('an account that the bank lists twice counts once, and accounts of different numbers are never one', async () => {
  const { accounts, excluded } = await listed([
    { resourceId: 'a', bban: BBAN, name: 'without IBAN' },
    { resourceId: 'a', iban: IBAN, bban: BBAN, name: 'first' },
    { resourceId: 'a', iban: OTHER_IBAN, bban: OTHER_BBAN, name: 'same id' },
    { resourceId: 'b', iban: IBAN, bban: BBAN, name: 'same number' },
    { resourceId: 'c', iban: IBAN, bban: BBAN, name: 'other currency', currency: 'EUR' },
    { resourceId: 'd', name: 'no number' },
    { resourceId: 'd', name: 'no number, same id' },
    { resourceId: 'e', name: 'no number either' },
    { resourceId: 'f', iban: 'NO93********47', name: 'masked' },
    { resourceId: 'g', iban: 'NO93********47', name: 'masked, too' },
  ])
  const names = ['first', 'same id', 'other currency', 'no number', 'no number either', 'masked', 'masked, too']
  expect(accounts.map(({ name }) => name)).toEqual(names)
  expect(new Set(accounts.map(({ stableId }) => stableId)).size).toBe(names.length)
  expect(excluded).toEqual([])
})

describe('an account of a new list', () => {
  const complete = { complete: true }
  const numbered = { resourceId: 'a', iban: IBAN, bban: BBAN }
  const [one, other] = [numbered, { resourceId: 'b', iban: OTHER_IBAN, bban: OTHER_BBAN }]

  test.each<[what: string, before: Partial<BankAccount>[], now: Partial<BankAccount>[], known: (number | null)[]]>([
    ['keeps its id', [one, other], [other, one], [1, 0]],
    ['keeps its id under another id of the bank', [one], [{ ...one, resourceId: 'z' }], [0]],
    ['keeps its id when it has none of the bank any more', [one], [{ ...one, resourceId: null }], [0]],
    ['keeps its id without IBAN', [one], [{ ...one, iban: null }], [0]],
    ['keeps its id without number', [one], [{ resourceId: 'a' }], [0]],
    ['has not the id of another number under its id', [one], [{ ...other, resourceId: 'a' }], [null]],
    ['has not the id of another currency', [one], [{ ...one, currency: 'EUR' }], [null]],
    ['has an id of its own', [{ ...one, iban: null }], [one, { ...other, bban: BBAN }], [0, null]],
  ])('%s', async (_what, before, now, known) => {
    const stored = (await listed(before)).accounts
    const { accounts } = withKnownAccounts(await listed(now), stored, complete)
    const position = (id: string) => stored.findIndex((account) => account.id === id)
    expect(accounts.map(({ id }) => (position(id) < 0 ? null : position(id)))).toEqual(known)
  })

  test('and one that an incomplete list lacks is included, unless the bank lists it as that of another owner', async () => {
    const stored = (await listed([one, other, { resourceId: 'c' }])).accounts
    const list = await listed([
      { ...one, name: 'Now' },
      { ...other, ownerName: 'Anna Andersson' },
    ])
    const read = (complete: boolean) => withKnownAccounts(list, stored, { complete })
    expect(read(true).accounts).toMatchObject([{ id: stored[0]?.id, name: 'Now' }])
    const { accounts, excluded } = read(false)
    expect(accounts).toMatchObject([{ id: stored[0]?.id, name: 'Now' }, stored[2]])
    expect(excluded).toHaveLength(1)
  })
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
  expect([accounts.map(({ resourceId }) => resourceId), excluded.length]).toEqual([['a', 'b'], 2])
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
