/** Shows that the profiles of this release are valid, and that errors in a profile are named. */
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import shipped from '../../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import { dialectErrors, parseDialect } from '../standards/berlin-group/dialect.ts'
import { connectorsByName } from './connector-registry.ts'
import { BANK_PROFILES_FOLDER, parseBankProfile, readBankProfiles } from './validate-bank-profile.ts'

const CHAIN = { submissionMode: 'chain', batchBooking: false, elements: 'own-ids', inBaskets: false }
const BULK = { ...CHAIN, submissionMode: 'bulk' }

describe('bank profiles', () => {
  test('of this release are all valid, and a connector supports each dialect', async () => {
    const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
    expect([...profiles.keys()]).toContain('norwegian-redirect')
    for (const { dialect } of profiles.values()) {
      const understood = Object.values(connectorsByName).filter((kind) => kind.dialectErrors(dialect).length === 0)
      expect(understood).not.toHaveLength(0)
    }
  })

  test('have a source for each of their fields', async () => {
    const reported = sectionsOf(await readFile(new URL('README.md', BANK_PROFILES_FOLDER), 'utf8'))
    expect(membersOf(shipped).filter((field) => !reported.get('norwegian-redirect')?.includes(field))).toEqual([])
  })

  test('have a source for each field in which they differ from the profile that they extend', async () => {
    const reported = sectionsOf(await readFile(new URL('README.md', BANK_PROFILES_FOLDER), 'utf8'))
    const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
    for (const [name, profile] of profiles) {
      const sources = `${reported.get(name)}${reported.get(countryByZone[profile.timeZone] ?? '')}`
      const untold = differing(profile, shipped).filter((field) => !sources.includes(field))
      expect({ name, hasSection: reported.has(name), untold }).toEqual({ name, hasSection: true, untold: [] })
    }
  })

  test('have a product for each rail, and a rail for each product', async () => {
    for (const { name, rails, dialect } of await xs2aProfiles()) {
      const { products } = parseDialect(dialect)
      expect({ name, products: Object.keys(products).sort() }).toEqual({ name, products: Object.keys(rails).sort() })
    }
  })

  test('have a cross-border product where they offer it', async () => {
    for (const { name, crossBorder, dialect } of await xs2aProfiles()) {
      const offered = parseDialect(dialect).crossBorder !== undefined
      expect({ name, offered }).toEqual({ name, offered: crossBorder !== undefined })
    }
  })

  test('with payment forms have the scheme of their numbers', () => {
    const dialect = { ...shipped.dialect, products: { account: 'a', 'payment-form': 'b' } }
    expect(() => parseDialect(dialect)).toThrow('dialect/paymentFormScheme')
  })

  test('have the type of references with a type, and none for references that are plain text', () => {
    const { reference: _default, ...dialect } = shipped.dialect
    expect(parseDialect(dialect).reference).toBeUndefined()
    expect(() => parseDialect({ ...dialect, reference: { form: 'object' } })).toThrow('dialect/reference/type')
    const message = { ...dialect.message, giroReferenceType: 'MSG' }
    expect(() => parseDialect({ ...dialect, message })).toThrow('dialect/message/giroReferenceType')
  })

  test.each([
    [
      'a misspelt field',
      { cutOfTime: '14:00' },
      '/cutOfTime: is not a field of profiles; remove it, or correct its name',
    ],
    [
      'an invalid cut-off time',
      { rails: railAt('25:00') },
      '/rails/account/cutOff/localTime: must be a time such as "14:00"; it is "25:00"',
    ],
    [
      'a misspelt rail',
      { rails: { ...shipped.rails, bankgirot: shipped.rails.account } },
      '/rails/bankgirot: is not a field',
    ],
    ['an account without a rail', { rails: {} }, '/rails/account: is missing'],
    ['an unknown product', { products: ['LOANS'] }, '/products/0'],
    [
      'an invalid pattern',
      { userId: { ...shipped.userId, pattern: '(' } },
      '/userId/pattern: must be a regular expression',
    ],
    ['an example that does not match its pattern', { userId: { ...shipped.userId, example: 'x' } }, '/userId/example'],
    ['an unknown time zone', { timeZone: 'Europe/Atlantis' }, '/timeZone: Europe/Atlantis is unknown'],
    ['an amount finer than its currency', { amountMax: { NOK: '1.001' } }, '/amountMax/NOK: 1.001 is not an amount'],
    [
      'cross-border payments without settings',
      { crossBorder: undefined },
      '/products and /crossBorder contradict each other',
    ],
    [
      'an invalid cross-border limit',
      { crossBorder: { ...shipped.crossBorder, amountMax: { EUR: '1.001' } } },
      '/crossBorder/amountMax/EUR: 1.001 is not an amount',
    ],
    ['an invalid limit of a rail', { rails: railUpTo('many') }, '/rails/account/amountMax: many is not an amount'],
    [
      'a limit of a rail with too many decimals',
      { rails: railUpTo('1.001') },
      '/rails/account/amountMax: 1.001 is not an amount',
    ],
    [
      'characters that are no class with the flag u',
      classOf('[a-z\\-\\ø]'),
      '/constraints/validInformationFieldCharactersPattern',
    ],
    ['more than one class', classOf('[a-z][0-9]'), '/constraints/validInformationFieldCharactersPattern'],
    [
      'baskets that partners do not see',
      { baskets: { max: 50, domesticOnly: false } },
      '/constraints/maxBasketSize and',
    ],
    ['payrolls that partners do not see', { payroll: CHAIN }, '/products and /payroll contradict'],
    [
      'payrolls of unknown size',
      { ...payrollOf(CHAIN, null), baskets: null },
      '/constraints/maxPayrollSize and /products',
    ],
    ['a chain of eleven signatures', payrollOf(CHAIN, 11), '/constraints/maxPayrollSize and /payroll'],
    ['more payments than ten baskets hold', inBaskets(501), '/constraints/maxPayrollSize and /payroll'],
    ['one debit without bulks', payrollOf({ ...CHAIN, batchBooking: true }, 10), '/payroll/batchBooking and'],
    ['bulks in baskets without baskets', payrollOf({ ...BULK, inBaskets: true }, 10), '/payroll/inBaskets and'],
    ['bulks together that partners do not see', payrollOf(BULK, 10, 10), '/constraints/maxBulkSize and /products'],
    ['more bulks together than can be signed', severalBulks(11), '/constraints/maxBulkSize and /payroll'],
    ['an unknown submission mode of payrolls', payrollOf({ ...CHAIN, submissionMode: 'post' }, 10), '/payroll'],
    ['a basket of one', { baskets: { max: 1, domesticOnly: false } }, '/baskets'],
    [
      'a cancellation that contradicts what partners see',
      { cancellation: 'free' },
      '/constraints/cancelSCARequired and',
    ],
    [
      'a cancellation that is not offered',
      { products: ['PAYMENT_DOMESTIC'] },
      '/products and /cancellation contradict',
    ],
    ['QR codes that partners do not see', { scaApproaches: ['redirect', 'qr'] }, '/scaMethods and /scaApproaches'],
    [
      'QR codes that the bank does not have',
      { scaMethods: ['Redirect', 'Qr'] },
      '/scaMethods and /scaApproaches contradict',
    ],
    ['no SCA approach', { scaApproaches: [] }, '/scaApproaches'],
    ['another name than its file', { name: 'other' }, "/name: is other, which is not the file's name"],
  ])('with %s are rejected', (_what, change, fault) => {
    const text = JSON.stringify({ ...shipped, ...change })
    expect(() => parseBankProfile('norwegian-redirect.json', text)).toThrow(fault)
  })

  test('that are not JSON are rejected with the file’s name', () => {
    expect(() => parseBankProfile('broken.json', '{')).toThrow('Bank profile broken.json is not JSON')
  })
})

/** The profiles of banks with the standard. */
async function xs2aProfiles() {
  const profiles = [...(await readBankProfiles(BANK_PROFILES_FOLDER)).values()]
  return profiles.filter(({ dialect }) => dialectErrors(dialect).length === 0)
}

test.each([
  ['a chain of ten', payrollOf(CHAIN, 10)],
  ['ten full baskets', inBaskets(500)],
  ['bulks of any size', payrollOf(BULK, 10_000)],
  ['ten bulks, one signed after the other', severalBulks(10)],
])('a profile may offer payrolls by %s', (_way, change) => {
  const { payroll } = parseBankProfile('norwegian-redirect.json', JSON.stringify({ ...shipped, ...change }))
  expect(payroll).toEqual(change.payroll)
})

function payrollOf(payroll: object, maxPayrollSize: number | null, maxBulkSize: number | null = null) {
  const products = [...shipped.products, 'PAYROLL']
  return { payroll, products, constraints: { ...shipped.constraints, maxPayrollSize, maxBulkSize } }
}

function inBaskets(maxPayrollSize: number) {
  const { constraints, ...terms } = payrollOf({ ...CHAIN, submissionMode: 'baskets' }, maxPayrollSize)
  return { ...terms, baskets: { max: 50, domesticOnly: true }, constraints: { ...constraints, maxBasketSize: 50 } }
}

function severalBulks(maxBulkSize: number) {
  const terms = payrollOf(BULK, 10_000, maxBulkSize)
  return { ...terms, products: [...terms.products, 'PAYROLL_BULK'] }
}

const countryByZone: Readonly<Record<string, string>> = {
  'Europe/Stockholm': 'Sweden',
  'Europe/Copenhagen': 'Denmark',
  'Europe/Helsinki': 'Finland',
}

function railUpTo(amountMax: string) {
  return { account: { ...shipped.rails.account, amountMax } }
}

function classOf(validInformationFieldCharactersPattern: string) {
  return { constraints: { ...shipped.constraints, validInformationFieldCharactersPattern } }
}

function railAt(localTime: string) {
  return { account: { ...shipped.rails.account, cutOff: { localTime, bankDaysBefore: 0 } } }
}

/** The text under each heading. */
function sectionsOf(markdown: string): ReadonlyMap<string, string> {
  const parts = markdown.split(/^#{2,3} /m).slice(1)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]))
}

/** The fields that require a source: those of a profile, and of its constraints, rails and dialect. */
function membersOf(profile: object): readonly string[] {
  return Object.entries(profile)
    .filter(([name]) => name !== 'name' && name !== 'branches')
    .flatMap(([name, value]) => (NESTED.has(name) ? Object.keys(value) : [name]))
}

const NESTED: ReadonlySet<string> = new Set(['constraints', 'rails', 'dialect'])

function differing(profile: object, from: object): readonly string[] {
  const whole = new Map(Object.entries(from))
  return Object.entries(profile).flatMap(([name, value]) => {
    const isSame = JSON.stringify(value) === JSON.stringify(whole.get(name))
    if (isSame || name === 'name') {
      return []
    }
    return NESTED.has(name) ? differing(value, whole.get(name) ?? {}) : [name]
  })
}
