/** Shows how accounts and balances are translated. */
import { describe, expect, test } from 'vitest'
import { parseSignedMoney, toBankAccounts, toBankBalance } from './translate-accounts.ts'

describe('an account', () => {
  const account = { resourceId: 'r1', currency: 'NOK', bban: '86011117947' }

  test.each([
    [{ cashAccountType: 'CACC' }, 'Current'],
    [{ cashAccountType: 'CACC', currency: 'EUR' }, 'Currency'],
    [{ cashAccountType: 'SVGS', currency: 'EUR' }, 'Savings'],
    [{ cashAccountType: 'TAXE' }, 'Tax'],
    [{ cashAccountType: 'LOAN' }, 'Other'],
    [{}, 'Other'],
  ])('with %j is of type %s', (change, type) => {
    expect(toBankAccounts([{ ...account, ...change }], 'NO')).toMatchObject([{ type }])
  })

  test('that is blocked cannot be paid from', () => {
    expect(toBankAccounts([{ ...account, status: 'blocked' }], 'NO')).toMatchObject([{ payable: false }])
    expect(toBankAccounts([{ ...account, status: 'enabled' }], 'NO')).toMatchObject([{ payable: null }])
  })

  test('that is deleted, or not included in the consent, is left out', () => {
    expect(
      toBankAccounts(
        [
          { ...account, status: 'deleted' },
          { currency: 'NOK', bban: '1' },
        ],
        'NO',
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
    const accounts = toBankAccounts(
      names.map((name) => ({ ...account, ...name })),
      'NO',
    )
    expect(accounts.map(({ name }) => name)).toEqual(['a', 'b', 'c', null])
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
    const of = (balanceType: string, amount: string) => ({ balanceType, balanceAmount: { currency: 'NOK', amount } })
    const all = [
      of('openingBooked', '1'),
      of('closingBooked', '2'),
      of('interimBooked', '3'),
      of('interimAvailable', '4'),
    ]
    expect(toBankBalance(all)).toMatchObject({ available: { minor: 400n }, booked: { minor: 300n } })
    expect(toBankBalance([of('nonInvoiced', '1')])).toEqual({ available: null, booked: null })
  })
})
