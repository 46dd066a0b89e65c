/** Tests that schema errors are plain sentences that start with the field, and never raw output of the validator. */
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import type { Operation } from '../../../../contract/operation.ts'
import { operations } from '../../../../contract/operations.ts'
import { currencyCode, day, Money, textUpTo, uuid } from '../../../../contract/shapes.ts'
import { InvalidRequestError } from '../errors/api-error.ts'
import { compileBodyCheck } from './schema-validation.ts'

const AMOUNT_FORM =
  'must be a decimal with a point, for example 1250.00: no sign, no leading zero, at most 12 digits and 4 decimals'

const Body = Type.Object({
  id: Type.Optional(uuid('An id.')),
  name: Type.Optional(textUpTo(3, 'The name.')),
  filled: Type.Optional(Type.String({ minLength: 1 })),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  only: Type.Optional(Type.Enum(['a'])),
  paid: Type.Optional(Money),
  currency: Type.Optional(currencyCode('The currency.')),
  due: Type.Optional(day('The day.')),
  list: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 9 }), { minItems: 1, maxItems: 2, uniqueItems: true }),
  ),
  either: Type.Optional(Type.Union([Type.String({ maxLength: 5 }), Type.Integer({ minimum: 1 })])),
  needed: Type.Literal(true),
})

test.each<[body: object, reason: string]>([
  [{}, 'needed is required'],
  [{ needed: false }, 'needed must be true'],
  [{ id: 'x' }, 'id must be a UUID, for example 01a207a2-0000-7000-8000-000000000000'],
  [{ name: 7 }, 'name must be a string'],
  [{ name: 'long' }, 'name must have at most 3 characters'],
  [{ filled: '' }, 'filled must not be empty'],
  [{ kind: 'c' }, 'kind must be one of a, b'],
  [{ only: 'b' }, 'only must be a'],
  [{ paid: { amount: '01.00', currency: 'NOK' } }, `amount ${AMOUNT_FORM}`],
  [{ currency: 'nok' }, 'currency must be a currency code of ISO 4217, for example NOK'],
  [{ due: 'today' }, 'due must be a date, for example 2026-11-23'],
  [{ list: {} }, 'list must be a list'],
  [{ list: [] }, 'list must not be empty'],
  [{ list: [1, 2, 3] }, 'list must have at most 2 elements'],
  [{ list: [1, 1] }, 'list must not contain duplicate elements'],
  [{ list: [0] }, 'list[0] must be at least 1'],
  [{ list: [10] }, 'list[0] must be at most 9'],
  [{ list: ['x'] }, 'list[0] must be a whole number'],
  [{ either: true }, 'either must be a string of 1 to 5 characters, or a whole number of at least 1'],
])('%j: %s', (body, reason) => {
  const found = new InvalidRequestError(compileBodyCheck(Body)({ needed: true, ...body }))
  const reported = Object.keys(body).length === 0 ? new InvalidRequestError(compileBodyCheck(Body)({})) : found
  expect(reported.validationErrors.map((validationError) => validationError.reason)).toEqual([reason])
})

test('an error of the whole body, or of a rule, has a subject, too', () => {
  const reported = (path: string, reason: string) =>
    new InvalidRequestError([{ code: 'InvalidRequest', path, reason }]).validationErrors[0]
  expect(reported('.', 'must be an object')?.reason).toBe('The body must be an object')
  expect(reported('.payments[3]', 'is unknown')?.reason).toBe('payments[3] is unknown')
  expect(reported('.from.name', 'The name is too long')?.reason).toBe('The name is too long')
})

test('every pattern of a request has a description in words', () => {
  const inputs = Object.values<Operation>(operations).flatMap(({ params, query, body }) => [params, query, body])
  const silent = inputs.flatMap((schema) => patternsIn(schema)).filter(({ form }) => typeof form !== 'string')
  expect(silent).toEqual([])
})

function patternsIn(schema: TSchema | undefined): readonly { readonly pattern: string; readonly form?: unknown }[] {
  const { properties = {}, items, anyOf = [], oneOf = [], pattern, form } = Object(schema)
  const inner: readonly TSchema[] = [
    ...Object.values<TSchema>(properties),
    ...(items ? [items] : []),
    ...anyOf,
    ...oneOf,
  ]
  return [...(typeof pattern === 'string' ? [{ pattern, form }] : []), ...inner.flatMap(patternsIn)]
}
