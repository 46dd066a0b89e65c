/** Shows how accounts and balances are translated. */
import { describe, expect, test } from 'vitest'
import type { Deviation } from '../../../../platform/http/tolerant-reader.ts'
import { parseSignedMoney, toBankAccounts, toBankBalance } from './translate-accounts.ts'

const fail = ({ reason }: Deviation) => expect.fail(reason)

describe('an account', () => {
  const account = { resourceId: 'r1', currency: 'NOK', bban: '86011117947' }
  const listed = (changes: readonly object[]) =>
    changes.flatMap((change) => toBankAccounts([{ ...account, ...change }], 'NO', fail) ?? [])

  test.each([
    [{ cashAccountType: 'CACC' }, 'Current'],
    [{ cashAccountType: 'CACC', currency: 'EUR' }, 'Currency'],
    [{ cashAccountType: 'SVGS', currency: 'EUR' }, 'Savings'],
    [{ cashAccountType: 'TAXE' }, 'Tax'],
    [{ cashAccountType: 'LOAN' }, 'Other'],
    [{}, 'Other'],
  ])('with %j is of type %s', (change, type) => {
    expect(listed([change])).toMatchObject([{ type }])
  })

  test('that is blocked cannot be paid from', () => {
    expect(listed([{ status: 'blocked' }, { status: 'enabled' }])).toMatchObject([
      { payable: false },
      { payable: null },
    ])
  })

  test('that is deleted, or not included in the consent, is left out', () => {
    expect(
      toBankAccounts(
        [
          { ...account, status: 'deleted' },
          { currency: 'NOK', bban: '1' },
        ],
        'NO',
        fail,
      ),
    ).toEqual([])
  })

  test('is named by its name, else by the bank’s display name, else by its product', () => {
    const names = [
      { name: 'a', displayName: 'b', product: 'c' },
      { displayName: 'b', product: 'c' },
      { product: 'c' },
      {},
    ]
    const accounts = listed(names)
    expect(accounts?.map(({ name }) => name)).toEqual(['a', 'b', 'c', null])
  })
})

describe('the number of an account', () => {
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
    ['DK', { bban: '0440116243', iban: 'DK5000400440116243' }, '00400440116243'],
    ['NO', { bban: 'konto 1', iban: 'NO9386011117947' }, '86011117947'],
    ['FI', { iban: 'FI85 7981 2345 6789 00' }, 'FI8579812345678900'],
    ['FI', { bban: '79812345678900', iban: 'FI8579812345678900' }, 'FI8579812345678900'],
    // One that is invalid by our rules is returned as the bank reports it.
    ['NO', { bban: '80501100018' }, '80501100018'],
    // This IBAN does not contain the clearing number.
    ['SE', { iban: 'SE5460000000000806967498' }, null],
  ])('in %s %o is normalised to %s', (country, numbers, bban) => {
    const account = { resourceId: 'r1', currency: 'SEK', ...numbers }
    expect(toBankAccounts([account], country, fail)).toMatchObject([{ bban }])
  })
})

describe('the id of an account', () => {
  const [IBAN, BBAN, OTHER_IBAN] = ['NO9386011117947', '86011117947', 'NO5480501100017']

  test.each<[what: string, accounts: readonly object[], ids: readonly (string | null)[], reported: readonly string[]]>([
    [
      'of two numbers is the id of neither',
      [{ iban: IBAN }, { iban: OTHER_IBAN }],
      [null, null],
      ['ignored', 'ignored'],
    ],
    [
      'of two currencies is the id of neither',
      [{ iban: IBAN }, { iban: IBAN, currency: 'EUR' }],
      [null, null],
      ['ignored', 'ignored'],
    ],
    [
      'of an account that is listed twice is its id',
      [{ iban: IBAN }, { bban: BBAN }, { iban: 'NO93 8601 1117 947' }],
      ['r', 'r', 'r'],
      [],
    ],
    ['leaves others as they are', [{ iban: IBAN }, { iban: OTHER_IBAN, resourceId: 's' }], ['r', 's'], []],
    ['is not needed to pay by the number', [{ iban: IBAN, resourceId: 'r\n1' }], [null], ['ignored']],
    ['is needed where there is no number', [{ resourceId: 'r\n1' }, {}], ['r'], ['ignored', 'dropped']],
  ])('%s', (_what, accounts, ids, reported) => {
    const effects: string[] = []
    const details = accounts.map((account) => ({ resourceId: 'r', currency: 'NOK', ...account }))
    const read = toBankAccounts(details, 'NO', ({ effect }) => effects.push(effect))
    expect(read?.map(({ resourceId }) => resourceId)).toEqual(ids)
    expect(effects).toEqual(reported)
  })

  test('that cannot be used is reported as such, also where two accounts have one', () => {
    const reasons: string[] = []
    const details = [
      { iban: IBAN, resourceId: 'r\n1', currency: 'NOK' },
      { iban: OTHER_IBAN, resourceId: 'r\n2', currency: 'NOK' },
    ]
    toBankAccounts(details, 'NO', ({ reason }) => reasons.push(reason))
    expect(reasons).toEqual(['cannot be used in a path', 'cannot be used in a path'])
  })
})

describe('a balance', () => {
  test.each([
    ['500.00', 50_000n],
    ['-500.5', -50_050n],
    ['0', 0n],
    ['-0.00', 0n],
    ['007', 700n],
    ['100.000', 10_000n],
    ['12345678901.10', 1_234_567_890_110n],
  ])('of %s NOK is %s øre', (amount, minor) => {
    expect(parseSignedMoney(amount, 'NOK')).toEqual({ minor, currency: 'NOK' })
  })

  test.each(['1,5', '1.001', '1e3', '', '--1', '+1', ' 1'])('of %j is undefined', (amount) => {
    expect(parseSignedMoney(amount, 'NOK')).toBeNull()
  })

  test('is taken from the best type that the bank reports', () => {
    const of = (balanceType: string, amount: string, currency = 'NOK') => ({
      balanceType,
      balanceAmount: { currency, amount },
    })
    const all = [
      of('openingBooked', '1'),
      of('closingBooked', '2'),
      of('interimBooked', '3'),
      of('interimAvailable', '4'),
    ]
    expect(toBankBalance(all, 'NOK')).toMatchObject({ available: { minor: 400n }, booked: { minor: 300n } })
    expect(toBankBalance([of('nonInvoiced', '1')], 'NOK')).toEqual({ available: null, booked: null })
    const several = [of('interimAvailable', '5', 'EUR'), of('interimAvailable', 'x'), of('expected', '6')]
    expect(toBankBalance(several, 'NOK').available).toEqual({ minor: 600n, currency: 'NOK' })
    expect(toBankBalance(several, 'USD').available).toEqual({ minor: 500n, currency: 'EUR' })
    const withCredit = ['interimAvailable', 'closingBooked'].flatMap((type) => [
      { ...of(type, '15'), creditLimitIncluded: true },
      { ...of(type, '5'), creditLimitIncluded: false },
    ])
    for (const inAnyOrder of [withCredit, withCredit.toReversed()]) {
      expect(toBankBalance(inAnyOrder, 'NOK')).toMatchObject({ available: { minor: 1500n }, booked: { minor: 500n } })
    }
    const ofDays = [
      { ...of('closingBooked', '7'), referenceDate: '2026-11-27' },
      { ...of('closingBooked', '8'), referenceDate: '2026-11-26', lastChangeDateTime: '2026-11-30T08:00:00Z' },
      { ...of('closingBooked', '9') },
    ]
    expect(toBankBalance(ofDays, 'NOK').booked?.minor).toBe(800n)
  })
})
