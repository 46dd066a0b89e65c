/** Tests that deliveries which are missing, repeated or in the wrong order are found. */
import { expect, test } from 'vitest'
import { findDeliveryFaults, type StoredEvent } from './check-results.ts'

/** Two events of one payment, and one of another. */
const EVENTS: readonly StoredEvent[] = [
  event('1', 'a', 'PAYMENT_STATUS_UNSIGNED'),
  event('2', 'a', 'PAYMENT_STATUS_IN_PROGRESS'),
  event('3', 'b', 'PAYMENT_STATUS_UNSIGNED'),
]

function event(id: string, subjectId: string, type: string): StoredEvent {
  return { id, subjectId, type, body: JSON.stringify({ id, type, data: { paymentId: subjectId } }) }
}

test.each<[string, readonly StoredEvent[], readonly string[], readonly string[]]>([
  ['nothing where each arrived once, those of a subject in order', EVENTS, ['3', '1', '2'], []],
  ['a second delivery', EVENTS, ['1', '2', '3', '2'], ['PAYMENT_STATUS_IN_PROGRESS 2 was delivered 2 times']],
  ['a lost event', EVENTS, ['1', '2'], ['PAYMENT_STATUS_UNSIGNED 3 was not delivered']],
  ['an event that was not recorded', EVENTS, ['1', '2', '3', '4'], ['4 was delivered, and is not stored']],
  [
    'an event that was overtaken',
    EVENTS,
    ['2', '1', '3'],
    ['PAYMENT_STATUS_IN_PROGRESS of a arrived before PAYMENT_STATUS_UNSIGNED, which was recorded first'],
  ],
  [
    'a change with two events',
    [...EVENTS, event('5', 'b', 'PAYMENT_STATUS_UNSIGNED')],
    ['1', '2', '3', '5'],
    ['2 events report the same: PAYMENT_STATUS_UNSIGNED of b: {"paymentId":"b"}'],
  ],
])('it finds %s', (_what, events, delivered, findings) => {
  expect(findDeliveryFaults(events, delivered)).toEqual(findings)
})
