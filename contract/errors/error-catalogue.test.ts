/** Tests that the catalogue explains every code of the API in sentences, and that the codes of operations are in it. */
import { expect, test } from 'vitest'
import { operations } from '../operations.ts'
import { ERROR_CATALOGUE, errorDocsPath } from './error-catalogue.ts'

const entries = Object.entries(ERROR_CATALOGUE)
const SENTENCES = /^[A-Za-z/].+[.]$/s

test('every code has a meaning, a usual cause and an action, each in sentences of its own', () => {
  expect(entries.length).toBeGreaterThan(70)
  const incomplete = entries.filter(([, { meaning, cause, action }]) =>
    [meaning, cause, action].some((text) => !SENTENCES.test(text) || text.length > 240),
  )
  expect(incomplete).toEqual([])
  expect(entries.filter(([, { cause, action }]) => cause === action)).toEqual([])
})

test('every code of an operation is catalogued with the status of its response', () => {
  const listed = Object.values(operations).flatMap(({ failures, validation }) => [
    ...failures.map((code) => [code, 400] as const),
    ...validation.map((code) => [code, 422] as const),
  ])
  expect(listed.filter(([code, status]) => !ERROR_CATALOGUE[code].statuses.includes(status))).toEqual([])
})

test('every code is a valid fragment of the address of its entry', () => {
  const odd = entries.map(([code]) => errorDocsPath(code as keyof typeof ERROR_CATALOGUE))
  expect(odd.filter((path) => !/^\/docs\/errors#[A-Za-z_]+$/.test(path))).toEqual([])
})
