/** Guarantees of what the cancellation of a payroll comes to by its parts. */
import { describe, expect, test } from 'vitest'
import { type Cancellation, type CancellationStatus, endOf } from '../../cancellations/cancellation.ts'
import {
  type PayrollCancellation,
  reasonOfWhole,
  statusOfWhole,
} from '../../cancellations/payrolls/payroll-cancellation.ts'

/** As much of a cancellation as is looked at. */
function whole(
  parts: readonly (readonly [status: CancellationStatus, reason?: string])[],
  said: Partial<PayrollCancellation> = {},
): PayrollCancellation {
  const kept = parts.map(([status, reason]) => Object({ status, reason: reason ?? null }) as Cancellation)
  return Object({ verdict: null, reason: null, parts: kept, ...said }) as PayrollCancellation
}

describe('a whole', () => {
  test.each<[parts: readonly CancellationStatus[], status: CancellationStatus]>([
    [['ACCEPTED', 'ASKED', 'AUTHORIZATION_REQUIRED', 'REJECTED'], 'ASKED'],
    [['ACCEPTED', 'AUTHORIZATION_REQUIRED', 'REJECTED'], 'AUTHORIZATION_REQUIRED'],
    [['ACCEPTED', 'REJECTED', 'ACCEPTED'], 'REJECTED'],
    [['ACCEPTED', 'ACCEPTED'], 'ACCEPTED'],
  ])('of %s is %s', (parts, status) => {
    expect(statusOfWhole(whole(parts.map((part) => [part])))).toBe(status)
  })

  test('of which no bank was asked is what was said of it', () => {
    expect(statusOfWhole(whole([], { verdict: 'REJECTED' }))).toBe('REJECTED')
    expect(statusOfWhole(whole([], { verdict: 'ACCEPTED' }))).toBe('ACCEPTED')
    expect(reasonOfWhole(whole([], { verdict: 'REJECTED', reason: 'it is over' }))).toBe('it is over')
  })

  test('says of how many payouts it was refused, and of one alone why', () => {
    expect(reasonOfWhole(whole([['REJECTED', 'too late']]))).toBe('too late')
    expect(reasonOfWhole(whole([['ACCEPTED'], ['REJECTED', 'too late'], ['ACCEPTED']]))).toBe(
      '1 of 3 payouts: too late',
    )
  })

  test('says when its bank took it and does not show that yet, and nothing where there is nothing to say', () => {
    expect(reasonOfWhole(whole([['ACCEPTED'], ['ACCEPTED', 'shown later']]))).toContain('once it shows that')
    expect(reasonOfWhole(whole([['ACCEPTED'], ['ACCEPTED']]))).toBeNull()
  })
})

describe('a part that the bank does not withdraw', () => {
  const no = { yes: false, reason: 'it is withdrawn already' } as const
  const withdrawnAt = Temporal.Instant.from('2026-05-04T08:00:00Z')

  test('because it let go of it when a sweep asked is cancelled nevertheless', () => {
    expect(endOf(no, { status: 'Unsigned', signed: false, withdrawnAt })).toMatchObject({ status: 'ACCEPTED' })
  })

  test('is refused otherwise', () => {
    const rejected = { status: 'REJECTED', reason: no.reason }
    expect(endOf(no, { status: 'Unsigned', signed: false, withdrawnAt: null })).toEqual(rejected)
    expect(endOf(no, { status: 'InProgress', signed: true, withdrawnAt })).toEqual(rejected)
  })
})
