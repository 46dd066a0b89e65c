/** Tests the class of every error, and that its parts are read from any form of response. */
import { expect, it, test } from 'vitest'
import { namedOperations } from '../operation-entry.ts'
import {
  HavnAuthenticationError,
  HavnConflictError,
  HavnConnectionError,
  HavnError,
  HavnNotFoundError,
  HavnPermissionError,
  HavnRateLimitError,
  HavnRejectedError,
  HavnServerError,
  HavnTimeoutError,
  HavnUnknownOutcomeError,
  HavnValidationError,
} from './havn-error.ts'
import { readHavnError } from './read-error.ts'

const read = (status: number, body: unknown, operation = 'initiateDomesticPayment') => {
  const entry = namedOperations.find(({ id }) => id === operation)
  if (entry === undefined) {
    throw new Error(`There is no operation ${operation}`)
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readHavnError(entry, { status, headers: new Headers(), text, idempotencyKey: 'key-1' })
}

it.each([
  [400, {}, HavnValidationError, 'BadRequest'],
  [400, { failure: 'ACCESS_DENIED' }, HavnRejectedError, 'ACCESS_DENIED'],
  [400, { code: 'MissingField', reason: 'is required', path: '.from' }, HavnValidationError, 'MissingField'],
  [401, {}, HavnAuthenticationError, 'invalid_token'],
  [401, { error: 'invalid_client' }, HavnAuthenticationError, 'invalid_client'],
  [403, { message: 'No' }, HavnPermissionError, 'Forbidden'],
  [404, {}, HavnNotFoundError, 'NotFound'],
  [405, {}, HavnValidationError, 'Http405'],
  [409, {}, HavnConflictError, 'Conflict'],
  [409, { paymentId: 'p' }, HavnUnknownOutcomeError, 'Conflict'],
  [413, {}, HavnValidationError, 'Http413'],
  [422, [{ code: 'InvalidAmount', reason: 'is negative', path: '.amount' }], HavnValidationError, 'InvalidAmount'],
  [429, {}, HavnRateLimitError, 'TooManyRequests'],
  [500, '', HavnServerError, 'InternalServerError'],
  [502, '<h1>Bad gateway</h1>', HavnServerError, 'Http502'],
  [503, {}, HavnServerError, 'ServiceUnavailable'],
  [503, { payrollId: 'p' }, HavnUnknownOutcomeError, 'ServiceUnavailable'],
  [307, '', HavnError, 'Http307'],
] as const)('status %i with %j', (status, body, type, code) => {
  const error = read(status, body)
  expect(error.constructor).toBe(type)
  expect(error).toMatchObject({ name: type.name, code, status, idempotencyKey: 'key-1' })
  expect(error).toBeInstanceOf(HavnError)
  expect(error.errors[0]).toMatchObject({ code })
  expect(error.message).not.toBe('')
})

test('a token request that is rejected for a wrong scope is an error of authentication', () => {
  const body = { error: 'invalid_scope', error_description: 'The scope is of another environment' }
  const error = read(400, body, 'issueToken')
  expect(error).toBeInstanceOf(HavnAuthenticationError)
  expect(error).toMatchObject({ code: 'invalid_scope', message: body.error_description })
})

test('an error of the whole request has no path in its text', () => {
  const body = [{ code: 'InvalidRequest', reason: 'The key was used before', path: '.' }]
  expect(read(422, body)).toMatchObject({ message: 'The key was used before (InvalidRequest)', path: '.' })
})

test('a timeout is an error of the connection', () => {
  const error = new HavnTimeoutError('none', { operation: 'getPayment', code: 'TimedOut' })
  expect(error).toBeInstanceOf(HavnConnectionError)
  expect(error.name).toBe('HavnTimeoutError')
})

test('the errors of the response are read in one shape, whatever is added to them', () => {
  const docs = 'https://havn.example/docs/errors#InvalidAmount'
  const item = { code: 'InvalidAmount', path: '.amount.amount', message: 'must be above zero', docs }
  const body = {
    svcRequestId: 'r-1',
    message: 'The request has 2 errors',
    code: 'InvalidAmount',
    errors: [{ ...item, value: '-1', rule: { minimum: 0 }, later: true }, 'no record', { message: 7 }],
  }
  expect(read(400, body)).toMatchObject({
    code: 'InvalidAmount',
    path: '.amount.amount',
    svcRequestId: 'r-1',
    message: 'The request has 2 errors',
    errors: [
      { ...item, value: '-1', rule: { minimum: 0 } },
      { code: 'InvalidRequest', message: '' },
    ],
  })
})

test('the elements of a documented list keep what is added to them', () => {
  const docs = 'https://havn.example/docs/errors#InvalidAmount'
  const body = [{ code: 'InvalidAmount', reason: 'is negative', path: '.amount', value: '-1', docs }]
  const error = read(422, body)
  expect(error.errors).toEqual([{ code: 'InvalidAmount', message: 'is negative', path: '.amount', value: '-1', docs }])
  expect(error.validationErrors).toEqual([{ code: 'InvalidAmount', reason: 'is negative', path: '.amount' }])
})
