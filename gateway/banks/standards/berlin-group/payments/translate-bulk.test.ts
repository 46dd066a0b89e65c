/** Shows how the status of a bulk is derived from its payments, and how listed payments are matched. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PaymentStatusValue } from '../../../../../contract/payments/payment-status.ts'
import type { BulkTransactionObservation, KnownBulkTransaction } from '../../../connector/bank-order.ts'
import { endToEndIdFor } from '../../../connector/shorten-end-to-end-id.ts'
import { sampleBank } from '../../../testing/samples.ts'
import { dialectOf } from '../dialect.ts'
import { matchTransactions, toPartialBulkObservation, toTransactionObservation } from './translate-bulk.ts'

const PART = { transactionStatus: 'PART' }
const withIds = dialectOf(sampleBank({ dialect: { endToEndIdMax: 35 } }).profile)
const withoutIds = dialectOf(sampleBank({ dialect: { endToEndIdMax: null } }).profile)
const STATUSES = ['Unsigned', 'InProgress', 'CustomerActionRequired', 'Completed', 'Rejected', 'Cancelled'] as const
const OPEN: ReadonlySet<unknown> = new Set(['Unsigned', 'InProgress', 'CustomerActionRequired', null])

describe('a partly executed bulk', () => {
  test.each<[string, readonly (PaymentStatusValue | null)[], PaymentStatusValue]>([
    ['is open while one payment is', ['Completed', 'Rejected', 'InProgress'], 'InProgress'],
    ['is open while the status of one payment is unknown', ['Completed', null], 'InProgress'],
    [
      'reports the action that one payment requires',
      ['InProgress', 'CustomerActionRequired', null],
      'CustomerActionRequired',
    ],
    ['is completed when one payment is and none is open', ['Rejected', 'Completed', 'Cancelled'], 'Completed'],
    ['is rejected when none was completed', ['Cancelled', 'Rejected'], 'Rejected'],
    ['is cancelled when all payments are', ['Cancelled', 'Cancelled'], 'Cancelled'],
  ])('%s', (_what, statuses, status) => {
    expect(toPartialBulkObservation(PART, known(statuses), []).status).toBe(status)
    expect(toPartialBulkObservation(PART, known(statuses.map(() => null)), reported(statuses)).status).toBe(status)
  })

  test('is final exactly when every payment is, from whichever source', () => {
    const status = fc.constantFrom(null, ...STATUSES)
    fc.assert(
      fc.property(fc.array(fc.tuple(status, status, fc.boolean()), { minLength: 1, maxLength: 20 }), (payments) => {
        const now = payments.map(([_before, reported]) => reported)
        const heard = reported(now).filter((_element, position) => payments[position]?.[2] === true)
        const before = known(payments.map(([status]) => status))
        const last = payments.map(([status, reported, isReported]) => (isReported ? (reported ?? status) : status))
        const drawn = toPartialBulkObservation(PART, before, heard).status
        expect(OPEN.has(drawn)).toBe(last.some((one) => OPEN.has(one)))
        expect(drawn === 'InProgress' || last.includes(drawn)).toBe(true)
      }),
    )
  })

  test('has the reason for a manual intervention', () => {
    const lacking = { ...PART, transactionStatus: 'ACSP', fundsAvailable: false }
    const element = toTransactionObservation(lacking, { position: 0, elementId: null }, withIds)
    expect(toPartialBulkObservation(PART, known([null]), [element])).toMatchObject({
      status: 'CustomerActionRequired',
      statusReason: 'InsufficientFunds',
    })
  })

  test('at a bank that reports no single payments continues, and says so', () => {
    const seen = toPartialBulkObservation({ ...PART, psuMessage: '3 of 5' }, known([null]), null)
    expect(seen).toEqual({
      status: 'InProgress',
      statusReason: null,
      statusReasonText: 'The bank executes a part of these payments and does not report which: 3 of 5',
      bankStatus: 'PART',
    })
  })

  test('describes payments in progress without mentioning signatures of single orders', () => {
    const at = { position: 0, elementId: 'e1' }
    expect(toTransactionObservation({ transactionStatus: 'ACTC' }, at, withIds)).toMatchObject({
      ...at,
      status: 'InProgress',
    })
    expect(toTransactionObservation({ transactionStatus: 'QUEU' }, at, withIds)).toMatchObject({ ...at, status: null })
  })
})

describe('a listed payment', () => {
  test('is the one with the bank’s id, at any index', () => {
    const elements = ['e1', 'e2'].map((elementId) => ({ ...unread('x'), elementId }))
    expect(positions([{ paymentId: 'e2' }, { paymentId: 'e1' }], elements)).toEqual([1, 0])
  })

  test('is the one with our id, truncated as the bank does', () => {
    const long = 'a'.repeat(36)
    const cut = endToEndIdFor(long, withIds) ?? ''
    expect(cut).not.toBe(long)
    expect(positions([{ endToEndIdentification: cut }], [unread('b'), unread(long)])).toEqual([1])
  })

  test('with an id that none of ours has is none of ours', () => {
    expect(
      positions([{ endToEndIdentification: 'z' }, { endToEndIdentification: 'b' }], [unread('a'), unread('b')]),
    ).toEqual([1])
  })

  test('is identified by its index where the bank shows no id, in complete lists only', () => {
    const three = [unread('a'), unread('b'), unread('c')]
    expect(positions([{}, { endToEndIdentification: 'NOTPROVIDED' }, {}], three)).toEqual([0, 1, 2])
    expect(positions([{}, {}], three)).toEqual([])
    expect([
      ...matchTransactions([{ endToEndIdentification: 'of the bank' }], [unread('a')], withoutIds).keys(),
    ]).toEqual([0])
  })

  test('is not matched by an id that its bank gives to two payments, nor by a placeholder', () => {
    const elements = ['a', 'b'].map((endToEndId) => ({ ...unread(endToEndId), elementId: 'same' }))
    expect(positions([{ paymentId: 'same' }], elements)).toEqual([])
    const two = [
      { paymentId: '1', endToEndIdentification: 'b' },
      { paymentId: '1', endToEndIdentification: 'a' },
    ]
    const ours = ['a', 'b'].map((endToEndId, n) => ({ ...unread(endToEndId), elementId: String(n + 1) }))
    expect(positions(two, ours)).toEqual([1, 0])
    expect(positions([{ endToEndIdentification: 'NOT PROVIDED' }], [unread('NOT PROVIDED'), unread('b')])).toEqual([])
  })

  test('that is repeated counts once, as it came first', () => {
    const twice = ['ACSC', 'RJCT'].map((transactionStatus) => ({ endToEndIdentification: 'a', transactionStatus }))
    expect([...matchTransactions(twice, [unread('a'), unread('b')], withIds)]).toEqual([[0, twice[0]]])
  })
})

function positions(
  listed: Parameters<typeof matchTransactions>[0],
  elements: readonly KnownBulkTransaction[],
): readonly number[] {
  return [...matchTransactions(listed, elements, withIds).keys()]
}

function unread(endToEndId: string): KnownBulkTransaction {
  return { endToEndId, elementId: null, status: null, readAt: null }
}

function known(statuses: readonly (PaymentStatusValue | null)[]): readonly KnownBulkTransaction[] {
  return statuses.map((status, position) => ({ ...unread(`e${position}`), status }))
}

function reported(statuses: readonly (PaymentStatusValue | null)[]): readonly BulkTransactionObservation[] {
  return statuses.map((status, position) => ({
    position,
    elementId: null,
    ...{ status, statusReason: null, statusReasonText: null, bankStatus: 'X' },
  }))
}
