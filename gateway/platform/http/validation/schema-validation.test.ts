/** Tests how validation errors of a body are found, named, sorted and deduplicated. */
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { taggedUnion } from '../../../../contract/shapes.ts'
import type { ValidationError } from '../errors/api-error.ts'
import {
  compileBodyCheck,
  compileQueryCheck,
  isSound,
  sortInBodyOrder,
  VALIDATION_ERRORS_MAX,
} from './schema-validation.ts'

const at = (path: string): ValidationError => ({ code: 'InvalidRequest', reason: 'x', path })
const Order = Type.Object({
  name: Type.String({ maxLength: 3, pattern: '^[a-z]*$', invalid: { maxLength: 'SenderNameTooLong' } }),
  lines: Type.Array(Type.Object({ amount: Type.String({ invalid: { required: 'InvalidAmount' } }) })),
  'odd/name': Type.Optional(Type.Integer()),
})

describe('a body', () => {
  const check = compileBodyCheck(Order)

  test.each<[string, unknown, readonly (readonly [code: string, path: string])[]]>([
    ['sound', { name: 'abc', lines: [] }, []],
    ['with unknown fields', { name: 'abc', lines: [], colour: 'blue' }, []],
    ['of another type', 'abc', [['InvalidRequest', '.']]],
    ['that lacks a field', { lines: [] }, [['InvalidRequest', '.name']]],
    [
      'that lacks a nested field, whose schema names the code',
      { name: '', lines: [{}, { amount: '1' }, {}] },
      [
        ['InvalidAmount', '.lines[0].amount'],
        ['InvalidAmount', '.lines[2].amount'],
      ],
    ],
    ['whose schema names the code of a keyword', { name: 'abcd', lines: [] }, [['SenderNameTooLong', '.name']]],
    ['with two errors at one path', { name: 'ABCD', lines: [] }, [['SenderNameTooLong', '.name']]],
    [
      'whose field has a slash in its name',
      { name: '', lines: [], 'odd/name': 'x' },
      [['InvalidRequest', '.odd/name']],
    ],
  ])('%s', (_what, body, validationErrors) => {
    expect(check(body).map(({ code, path }) => [code, path])).toEqual(validationErrors)
  })

  test('is never changed by its validation: no text becomes a number, nothing is removed', () => {
    const body = { name: 5, lines: [{ amount: 100.5 }], colour: 'blue', 'odd/name': '7' }
    expect(check(body).map(({ path }) => path)).toEqual(['.name', '.lines[0].amount', '.odd/name'])
    expect(body).toEqual({ name: 5, lines: [{ amount: 100.5 }], colour: 'blue', 'odd/name': '7' })
  })
})

describe('a union of which the tag selects no branch', () => {
  const country = Type.String({ maxLength: 2 })
  const branch = (type: string, value: TSchema) => Type.Object({ country, type: Type.Literal(type), value })
  const union = taggedUnion('type', [branch('a', Type.String()), branch('b', Type.Integer())], {
    title: 'Union',
    description: 'A union.',
  })
  const check = compileBodyCheck(Type.Object({ lines: Type.Array(union) }))

  test.each<[unknown, readonly string[]]>([
    [{ country: 'NO', type: 'c', value: {} }, ['.type']],
    [{ country: { a: 1 }, type: 'c', value: 1 }, ['.type', '.country']],
    [{ country: 'NOR', type: { toString: 1 }, value: 1 }, ['.type', '.country']],
    [{ country: 5 }, ['.type', '.value', '.country']],
    [{}, ['.type', '.country', '.value']],
    ['text', ['']],
  ])('has the errors that it would have in every branch: %j', (line, paths) => {
    expect(check({ lines: [line] }).map(({ path }) => path)).toEqual(paths.map((path) => `.lines[0]${path}`))
  })
})

test('numbers in a query are parsed from text', () => {
  const query = { limit: '5' }
  expect(compileQueryCheck(Type.Object({ limit: Type.Integer() }))(query)).toEqual([])
  expect(query).toEqual({ limit: 5 })
})

test('a repeated parameter is rejected as such, also where each of its values would do', () => {
  const check = compileQueryCheck(
    Type.Object({ limit: Type.Integer(), status: Type.Enum(['a', 'b']), id: Type.String(), other: Type.String() }),
  )
  const found = check({ limit: ['5', '5'], status: ['a', 'b'], id: ['x', 'y'], other: 'z' })
  expect(found.map(({ path, reason }) => `${path} ${reason}`)).toEqual(
    ['.limit', '.status', '.id'].map((path) => `${path} must be sent once`),
  )
})

test.each(['1e400', '-1e400', '501', '0'])('a query with a number out of range is invalid: %s', (limit) => {
  const validationErrors = compileQueryCheck(Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 500 }) }))({
    limit,
  })
  expect(validationErrors).toMatchObject([{ path: '.limit' }])
})

describe('the order of validation errors', () => {
  test('is that of the body, whichever validation found them; a missing field has the position of its parent', () => {
    const body = { b: [{ y: 1, x: 2 }, 3], a: 1 }
    const found = ['.a', '.b[1]', '.b[0].x', '.', '.b[0].z', '.b[0].y'].map(at)
    expect(sortInBodyOrder(found, body).map(({ path }) => path)).toEqual([
      '.',
      '.b[0].z',
      '.b[0].y',
      '.b[0].x',
      '.b[1]',
      '.a',
    ])
  })

  test('keeps every error', () => {
    fc.assert(
      fc.property(fc.object(), fc.array(fc.stringMatching(/^(\.[a-c]|\[[0-2]\]){0,4}$/)), (body, paths) => {
        const ordered = sortInBodyOrder(paths.map(at), body)
        expect(ordered.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
      }),
    )
  })
})

describe('a rule that depends on a field', () => {
  test.each([
    ['.a', [], true],
    ['.a', ['.b', '.ab', '.a2'], true],
    ['.a', ['.a'], false],
    ['.a.b', ['.a'], false],
    ['.a[0].b', ['.a'], false],
    ['.a', ['.a.b'], false],
    ['.a', ['.a[3].b'], false],
    ['.a', ['.'], false],
  ])('%s with errors at %j: %s', (path, validationErrors, sound) => {
    expect(isSound(path, validationErrors.map(at))).toBe(sound)
  })
})

describe('a small body with very many errors', () => {
  test('reports its first hundred errors', () => {
    const lines = Array.from({ length: 50_000 }, () => ({}))
    expect(compileBodyCheck(Order)({ name: '', lines }).map(({ path }) => path)).toEqual(
      Array.from({ length: VALIDATION_ERRORS_MAX }, (_, n) => `.lines[${n}].amount`),
    )
  })
})

test('no pattern runs on a text of more than 10,000 characters, which does not match', () => {
  const check = compileBodyCheck(Type.Object({ name: Type.String({ pattern: '^a+$' }) }))
  expect(check({ name: 'a'.repeat(10_000) })).toEqual([])
  expect(check({ name: 'a'.repeat(10_001) })).toMatchObject([{ path: '.name' }])
})
