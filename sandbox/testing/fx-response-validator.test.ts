/** Tests that the validator of the FX provider's responses detects deviations from the public API. */
import { expect, test } from 'vitest'
import { fxResponseValidator } from './fx-response-validator.ts'

const event = { amount: '-0.11', currency: 'GBP', event_date_time: '2022-01-31T14:30:45+00:00' }
const operation = 'POST /conversions/{id}/cancel'
const rejection = (code: string) => ({
  error_code: 'conversion_find_failed',
  error_messages: { base: [{ code, message: 'No', params: {} }] },
})

test.each([
  ['a response of the API', { operation, status: 200, body: event }, 0],
  ['a field of another type', { operation, status: 200, body: { ...event, currency: 5 } }, 1],
  ['an unknown field', { operation, status: 200, body: { ...event, colour: 'red' } }, 1],
  ['an unknown operation', { operation: 'GET /colours', status: 200, body: {} }, 1],
  ['an error of the API', { operation, status: 400, body: rejection('contact_not_found') }, 0],
  ['an unknown code', { operation, status: 400, body: rejection('no_colour') }, 1],
  ['another error format', { operation, status: 400, body: { error: 'no' } }, 1],
  [
    'a status that conversions do not have',
    { operation: 'GET /conversions/{id}', status: 200, body: { status: 'melted' } },
    1,
  ],
])('validates %s', (_what, answer, faults) => {
  expect(fxResponseValidator(answer)).toHaveLength(faults)
})
