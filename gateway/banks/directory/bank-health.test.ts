/** Shows which calls count as failures of a bank. */
import { expect, test } from 'vitest'
import { outcomeOfCall } from './bank-health.ts'

test.each([
  [{ status: 201 }, 'answered'],
  [{ status: 400 }, 'answered'],
  [{ status: 429 }, 'failed'],
  [{ status: 408 }, 'failed'],
  [{ status: 503 }, 'failed'],
  [{ error: 'gone', sent: true }, 'failed'],
])('a call that ended with %j was %s', (ending, outcome) => {
  const call = { bank: 'FJORNO22', operation: 'probe', requestId: null, milliseconds: 1, ...ending }
  expect(outcomeOfCall(call)).toBe(outcome)
})
