/** Tests the sandbox bank's fixture. */
import { expect, test } from 'vitest'
import banks from '../../data/nordic-banks.json' with { type: 'json' }
import { mayPay, maySee, signaturesRequired } from './fixture-lookup.ts'
import { loadDemoFixture, validateFixture } from './load-fixture.ts'

const fixture = loadDemoFixture()

test('contains sixteen banks in four countries', () => {
  const countries = Map.groupBy(fixture.banks, ({ country }) => country)
  expect(Object.fromEntries([...countries].map(([country, all]) => [country, all.length]))).toEqual({
    NO: 5,
    SE: 4,
    DK: 4,
    FI: 3,
  })
})

test('uses bank codes that no Norwegian bank has', () => {
  const accounts = fixture.accounts.filter(({ currency }) => currency === 'NOK')
  const codes = new Set(accounts.map(({ bban }) => bban.slice(0, 4)))
  const isAllocated = (code: string) => banks.NO.some(([from, to]) => `${from}` <= code && code <= `${to}`)
  expect([...codes].filter(isAllocated)).toEqual([])
})

test.each(fixture.banks.map((bank) => [bank.name, bank] as const))(
  '%s has an account of each kind for its demo company, and a supplier',
  (_name, bank) => {
    const payers = fixture.access.filter(({ bic, may }) => bic === bank.bic && may.includes('pay'))
    const [first] = payers
    const own = fixture.accounts.filter(({ bic, owner }) => bic === bank.bic && owner === first?.owner)
    const user = first?.userId ?? ''
    expect(payers.length).toBeGreaterThanOrEqual(2)
    expect(own[0]?.name).toMatch(/^(Driftskonto|Driftkonto|Käyttötili)/)
    expect(new Set(own.map((account) => signaturesRequired(fixture, account)))).toEqual(new Set([0, 1, 2]))
    expect(own.some((account) => maySee(fixture, user, account) && !mayPay(fixture, user, account))).toBe(true)
    expect(fixture.accounts.some(({ bic, owner }) => bic === bank.bic && owner !== first?.owner)).toBe(true)
  },
)

test('requires the signatures of the account, or else of its company', () => {
  const [account] = fixture.accounts
  const companies = fixture.companies.map((company) => ({ ...company, signaturesRequired: 2 }))
  const required = (changes: object) =>
    account && signaturesRequired({ ...fixture, companies }, { ...account, ...changes })
  expect([null, 0, 1, 3].map((signatures) => required({ signatures }))).toEqual([2, 0, 1, 3])
  expect(required({ signatures: null, owner: 'a natural person' })).toBe(1)
})

test('reports an error in its data', () => {
  const [account] = fixture.accounts
  expect(() => validateFixture({ ...fixture, accounts: [{ ...account, bban: '80501100018' }] })).toThrow('80501100018')
  expect(() => validateFixture({ ...fixture, accounts: [{ ...account, balance: 'much' }] })).toThrow(
    '/accounts/0/balance',
  )
})
