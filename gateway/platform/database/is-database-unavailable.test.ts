/** Tests which errors say that the database is away, and which that a statement or its rows are wrong. */
import { expect, it } from 'vitest'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('failed'), { code })

it.each([
  [withCode('57P01'), true],
  [withCode('08006'), true],
  [withCode('53300'), true],
  [withCode('25006'), true],
  [withCode('ECONNREFUSED'), true],
  [new Error('Connection terminated unexpectedly'), true],
  [new Error('timeout exceeded when trying to connect'), true],
  [withCode('23505'), false],
  [withCode('22P02'), false],
  [withCode('P0001'), false],
  [withCode('57014'), false],
  [new TypeError('x is undefined'), false],
  ['text', false],
])('%s: %s', (error, isUnavailable) => {
  expect(isDatabaseUnavailable(error)).toBe(isUnavailable)
})
