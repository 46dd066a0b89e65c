/** Tests the bank calendar: bank holidays, cut-off times and execution days. */
import { describe, expect, test } from 'vitest'
import testVectors from '../../data/test-vectors.json' with { type: 'json' }
import { clearingDay, executionDay, isClearingDay } from './bank-calendar.ts'
import type { BankProfile } from './fixture.ts'
import { loadDemoFixture } from './load-fixture.ts'

const vectors = testVectors.suites
const fixture = loadDemoFixture()
const oneOf = (country: string): BankProfile => {
  const found = fixture.banks.findLast((bank) => bank.country === country)
  if (found === undefined) {
    throw new Error(`There is no bank in ${country}`)
  }
  return found
}
const day = (text: string) => Temporal.PlainDate.from(text)

describe('bank days', () => {
  test.each(vectors.bankDay.filter(({ country, date }) => country !== 'TARGET' && date >= '2024'))(
    '$country $date: open $open',
    ({ country, date, open }) => expect(isClearingDay(oneOf(country), day(date))).toBe(open),
  )
  test.each(vectors.nextBankDay)('$country from $date on: $result', ({ country, date, result }) => {
    expect(clearingDay(oneOf(country), day(date)).toString()).toBe(result)
  })
})

describe('a payment to another bank', () => {
  const sweden = fixture.banks.find(({ bic }) => bic === 'MALBSESS') ?? oneOf('SE')
  const signedAt = (at: string, rail: 'account' | 'bankgiro', requestedOn: string) =>
    executionDay(sweden, { rail, requestedOn: day(requestedOn), isInside: false }, Temporal.Instant.from(at)).toString()

  test('signed before the cut-off is sent today, after it on the next bank day', () => {
    expect(signedAt('2026-11-20T13:00:00Z', 'account', '2026-11-20')).toBe('2026-11-20')
    expect(signedAt('2026-11-20T13:00:01Z', 'account', '2026-11-20')).toBe('2026-11-23')
    expect(signedAt('2026-06-18T12:30:00Z', 'account', '2026-06-18')).toBe('2026-06-22')
  })

  test('by Bankgiro must be signed by the evening of the bank day before', () => {
    expect(signedAt('2026-11-20T12:00:00Z', 'bankgiro', '2026-11-20')).toBe('2026-11-23')
    expect(signedAt('2026-11-20T17:59:00Z', 'bankgiro', '2026-11-23')).toBe('2026-11-23')
    expect(signedAt('2026-11-20T18:01:00Z', 'bankgiro', '2026-11-23')).toBe('2026-11-24')
  })

  test('waits for its day, which inside the bank need not be a bank day', () => {
    expect(signedAt('2026-11-20T20:00:00Z', 'account', '2026-12-24')).toBe('2026-12-28')
    const timing = { rail: 'account', requestedOn: day('2026-11-21'), isInside: true } as const
    expect(executionDay(sweden, timing, Temporal.Instant.from('2026-11-21T20:00:00Z')).toString()).toBe('2026-11-21')
  })
})
