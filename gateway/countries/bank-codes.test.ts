/** Tests that every code of the national tables finds its bank, and that other codes find none. */
import { describe, expect, test } from 'vitest'
import nordicBanks from '../../data/nordic-banks.json' with { type: 'json' }
import { bankCodeTable } from './bank-codes.ts'

const tables = {
  NO: { rows: nordicBanks.NO, digits: 4 },
  DK: { rows: nordicBanks.DK, digits: 4 },
  FI: { rows: nordicBanks.FI, digits: 3 },
}

describe.each(['NO', 'DK', 'FI'] as const)('the codes of %s', (country) => {
  const { rows, digits } = tables[country]
  const bankOfCode = bankCodeTable(rows, (code) => code)
  const codes = Array.from({ length: 10 ** digits }, (_, code) => String(code).padStart(digits, '0'))

  test('each belong to the bank whose range contains it, or to none', () => {
    const different = codes.filter((code) => {
      const row = rows.find(([first, last]) => String(first) <= code && code <= String(last))
      return bankOfCode(code)?.name !== row?.[3]
    })
    expect(different).toEqual([])
    expect(codes.filter((code) => bankOfCode(code) !== undefined).length).toBeGreaterThan(500)
  })
})
