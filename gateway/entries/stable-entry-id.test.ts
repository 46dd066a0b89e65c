/** Tests that an entry has the same id before and after it is booked, and no two entries have one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stableIds } from './stable-entry-id.ts'
import { anyEntry, bankEntry } from './testing/entry-samples.ts'

const idOf = (entry: ReturnType<typeof bankEntry>, account = 'account') => stableIds(account)(entry)
const pending = { status: 'pending', bookedOn: null } as const

describe('a stable id', () => {
  test('stays when the bank reports a stable reference, whatever else changes but its direction', () => {
    fc.assert(
      fc.property(anyEntry, anyEntry, (before, after) => {
        const stored = { lastingId: 'kept' }
        const isSameDirection = before.amount.minor < 0n === after.amount.minor < 0n
        expect(idOf({ ...before, ...stored }) === idOf({ ...after, ...stored })).toBe(isSameDirection)
      }),
    )
  })

  test('differs between entries to which the bank gives one reference', () => {
    const give = stableIds('account')
    const entry = bankEntry({ lastingId: 'T' })
    const other = { ...entry, amount: { minor: -1n, currency: 'NOK' } }
    const ids = [give(entry), give(other), give(entry)]
    expect(ids).toEqual([idOf(entry), expect.not.stringContaining(idOf(entry)), idOf(entry)])
  })

  test('of a reversal under the reference of its entry is its own, whichever of them is read', () => {
    const entry = bankEntry({ lastingId: 'T' })
    const reversal = { ...entry, amount: { ...entry.amount, minor: -entry.amount.minor } }
    expect(idOf(reversal), 'read alone').not.toBe(idOf(entry))
    for (const both of [
      [entry, reversal],
      [reversal, entry],
    ]) {
      expect(both.map(stableIds('account')), 'read together').toEqual(both.map((one) => idOf(one)))
    }
  })

  test('stays without a reference, as long as the entry’s content and value date are the same', () => {
    const booked = bankEntry({ lastingId: null, transactionId: 'B1' })
    expect(idOf({ ...booked, ...pending, transactionId: null })).toBe(idOf(booked))
  })

  test('differs between equal entries of a day, between accounts, and between stable references and content', () => {
    const duplicate = bankEntry({ lastingId: null })
    const give = stableIds('account')
    const ids = [
      give(duplicate),
      give(duplicate),
      give(duplicate),
      idOf(duplicate, 'other'),
      idOf(bankEntry({ lastingId: 'T' })),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each([
    ['amount', { amount: { minor: -1n, currency: 'NOK' } }],
    ['currency', { amount: { minor: -125_000n, currency: 'SEK' } }],
    ['day', { valueOn: Temporal.PlainDate.from('2026-11-11') }],
    ['receiver', { counterpartyBban: '80503000028' }],
    ['reference', { references: [{ reference: '1', type: null }] }],
    ['message', { messages: ['1'] }],
    ['endToEndId', { endToEndId: '1' }],
  ])('differs by the %s where the bank has no reference', (_what, change) => {
    expect(idOf(bankEntry({ lastingId: null, ...change }))).not.toBe(idOf(bankEntry({ lastingId: null })))
  })

  test('distinguishes texts that would concatenate to the same string', () => {
    const reported = (messages: string[]) => idOf(bankEntry({ lastingId: null, messages }))
    expect(reported(['a', 'b'])).not.toBe(reported(['a\n1 b']))
    expect(reported(['ab', 'c'])).not.toBe(reported(['a', 'bc']))
  })
})
