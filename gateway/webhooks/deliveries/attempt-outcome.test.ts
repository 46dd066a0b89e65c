/** Tests when a failed delivery is retried: the documented delays, six attempts in all, and what is not retried. */
import { expect, test } from 'vitest'
import { stateAfterAttempt } from './attempt-outcome.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'

const NOW = Temporal.Instant.from('2026-11-23T10:00:00Z')
const answered = (status: number): Attempt => ({ kind: 'answered', status, answer: '', milliseconds: 1 })
const UNANSWERED: Attempt = { kind: 'unanswered', error: 'no answer', milliseconds: 1 }

/** Minutes until the next attempt after each of six. */
const minutesAfter = (attempt: Attempt) =>
  [1, 2, 3, 4, 5, 6].map((number) => stateAfterAttempt(attempt, number, NOW).dueAt?.since(NOW).total('minutes'))

test.each([UNANSWERED, ...[408, 429, 500, 501, 502, 503, 504, 599].map(answered)])(
  'network failures, 408, 429 and every 5xx are retried after the documented delays, five times: %o',
  (attempt) => {
    expect(minutesAfter(attempt)).toEqual([1, 5, 30, 120, 360, undefined])
    expect(stateAfterAttempt(attempt, 6, NOW).status).toBe('Failed')
  },
)

test.each([301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 422, 451])(
  'any other answer that is not a success ends the delivery: %i',
  (status) => expect(stateAfterAttempt(answered(status), 1, NOW)).toEqual({ status: 'Failed', dueAt: null }),
)

test('a success and a forbidden destination end it, too', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    expect(stateAfterAttempt(answered(status), 3, NOW)).toEqual({ status: 'Delivered', dueAt: null })
  }
  const refused: Attempt = { kind: 'refused', error: 'not public', milliseconds: 0 }
  expect(stateAfterAttempt(refused, 1, NOW)).toEqual({ status: 'Refused', dueAt: null })
})
