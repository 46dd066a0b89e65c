/** Tests the status and reason of a cancellation, derived from its parts. */
import { describe, expect, test } from 'vitest'
import {
  type Cancellation,
  type CancellationPart,
  type CancellationStatus,
  cancellationEndOf,
  reasonOfCancellation,
  statusOfCancellation,
} from './cancellation.ts'

/** The fields of a cancellation that the test uses. */
function whole(
  parts: readonly (readonly [status: CancellationStatus, reason?: string])[],
  reported: Partial<Cancellation> = {},
): Cancellation {
  const stored = parts.map(([status, reason]) => Object({ status, reason: reason ?? null }) as CancellationPart)
  return Object({ kind: 'payroll', decision: null, reason: null, parts: stored, ...reported }) as Cancellation
}

describe('the cancellation of a payroll', () => {
  test.each<[parts: readonly CancellationStatus[], status: CancellationStatus]>([
    [['ACCEPTED', 'REQUESTED', 'AUTHORIZATION_REQUIRED', 'REJECTED'], 'REQUESTED'],
    [['ACCEPTED', 'AUTHORIZATION_REQUIRED', 'REJECTED'], 'AUTHORIZATION_REQUIRED'],
    [['ACCEPTED', 'REJECTED', 'ACCEPTED'], 'REJECTED'],
    [['ACCEPTED', 'ACCEPTED'], 'ACCEPTED'],
  ])('of %s is %s', (parts, status) => {
    expect(statusOfCancellation(whole(parts.map((part) => [part])))).toBe(status)
  })

  test('without a request to a bank keeps its previous outcome', () => {
    expect(statusOfCancellation(whole([], { decision: 'REJECTED' }))).toBe('REJECTED')
    expect(statusOfCancellation(whole([], { decision: 'ACCEPTED' }))).toBe('ACCEPTED')
    expect(reasonOfCancellation(whole([], { decision: 'REJECTED', reason: 'it is over' }))).toBe('it is over')
  })

  test('reports how many transactions were rejected, and for a single one the reason', () => {
    expect(reasonOfCancellation(whole([['REJECTED', 'too late']]))).toBe('too late')
    expect(reasonOfCancellation(whole([['ACCEPTED'], ['REJECTED', 'too late'], ['ACCEPTED']]))).toBe(
      '1 of 3 transactions: too late',
    )
  })

  test('reports when its bank accepted it and does not show that yet, and otherwise nothing', () => {
    expect(reasonOfCancellation(whole([['ACCEPTED'], ['ACCEPTED', 'shown later']]))).toContain(
      'once the bank reports that',
    )
    expect(reasonOfCancellation(whole([['ACCEPTED'], ['ACCEPTED']]))).toBeNull()
  })
})

describe('a part that the bank does not cancel', () => {
  const no = { yes: false, reason: 'it is withdrawn already' } as const
  const cancellationAcceptedAt = Temporal.Instant.from('2026-05-04T08:00:00Z')

  test('because it had expired when a sweep polled it is cancelled nevertheless', () => {
    expect(cancellationEndOf(no, { status: 'Unsigned', signed: false, cancellationAcceptedAt })).toMatchObject({
      status: 'ACCEPTED',
    })
  })

  test('is rejected otherwise', () => {
    const rejected = { status: 'REJECTED', reason: no.reason }
    expect(cancellationEndOf(no, { status: 'Unsigned', signed: false, cancellationAcceptedAt: null })).toEqual(rejected)
    expect(cancellationEndOf(no, { status: 'InProgress', signed: true, cancellationAcceptedAt })).toEqual(rejected)
  })
})
