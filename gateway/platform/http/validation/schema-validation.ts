/** Validates bodies and queries against their schemas, and lists every error with its code and path, in body order. */

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import {
  GENERAL_VALIDATION_CODE,
  type ParsingCode,
  type ValidationCode,
} from '../../../../contract/errors/error-codes.ts'
import type { ValidationError } from '../errors/api-error.ts'
import { namesIn } from './place.ts'
import { messageOf, sharedFieldErrors } from './validation-message.ts'

/** The error code that a schema names per keyword, e.g. `{ pattern: 'InvalidAmount' }`. */
type NamedFailures = Readonly<Partial<Record<string, ValidationCode>>>

/** Returns the schema errors of a value. */
export type SchemaCheck = (value: unknown) => readonly ValidationError[]

/** The maximum number of reported errors: a small body could contain a great many. */
export const VALIDATION_ERRORS_MAX = 100

/** No text with a pattern is as long; no pattern runs on a longer one, which does not match. */
const MATCHED_CHARACTERS_MAX = 10_000

/** Ajv tests the pattern of a text also when the text is longer than its schema allows. */
function patternOf(source: string, flags: string): { test(text: string): boolean; toString(): string } {
  const expression = new RegExp(source, flags)
  return {
    test: (text) => text.length <= MATCHED_CHARACTERS_MAX && expression.test(text),
    // Ajv shares patterns of one text.
    toString: () => String(expression),
  }
}

const OPTIONS = {
  code: { regExp: Object.assign(patternOf, { code: 'new RegExp' }) },
  allErrors: true,
  verbose: true,
  strict: true,
  strictTypes: false,
  discriminator: true,
  removeAdditional: false,
  keywords: ['invalid', 'form', 'example', 'quotable', 'hidden'],
}

const bodies = addFormats.default(new Ajv({ ...OPTIONS, coerceTypes: false }))
// Without `strictNumbers: false` no bound is checked for `1e400`, which is parsed as infinite.
const queries = addFormats.default(new Ajv({ ...OPTIONS, coerceTypes: true, strictNumbers: false }))

/** Compiles the validation of a JSON body; nothing is coerced and nothing is removed. */
export function compileBodyCheck(schema: TSchema): SchemaCheck {
  return schemaCheck(bodies.compile(schema))
}

/**
 * Compiles the validation of a query, a form or path parameters, whose texts may represent numbers and booleans. A repeated
 * parameter is an array, and none may be repeated: what each of its values must be is not what is wrong.
 */
export function compileQueryCheck(schema: TSchema): SchemaCheck {
  const check = schemaCheck(queries.compile(schema))
  return (query) =>
    check(query).map((error) =>
      Array.isArray(Object(query)[error.path.slice(1)]) ? { ...error, reason: 'must be sent once' } : error,
    )
}

/** Merges the errors of schema and business validation into body order. */
export function sortInBodyOrder(
  validationErrors: readonly ValidationError[],
  body: unknown,
): readonly ValidationError[] {
  const namesByObject = new Map<object, readonly string[]>()
  return validationErrors
    .map((validationError) => ({ validationError, position: positionOf(validationError.path, body, namesByObject) }))
    .sort((left, right) => compare(left.position, right.position))
    .map(({ validationError }) => validationError)
}

/** Whether there is no error at a path, below it, or in its ancestors. */
export function isSound(path: string, validationErrors: readonly ValidationError[]): boolean {
  return !validationErrors.some(
    (validationError) =>
      validationError.path === '.' || isWithin(path, validationError.path) || isWithin(validationError.path, path),
  )
}

/** The errors of a schema and of strings; a string that its schema rejects already is reported once. */
export function withStringErrors(
  inSchema: readonly ValidationError[],
  texts: readonly ValidationError[],
): readonly ValidationError[] {
  return [...inSchema, ...texts.filter(({ path }) => isSound(path, inSchema))]
}

/** The errors at a path or below it, with paths relative to it. */
export function validationErrorsBelow(
  path: string,
  validationErrors: readonly ValidationError[],
): readonly ValidationError[] {
  return path === ''
    ? validationErrors
    : validationErrors
        .filter((validationError) => isWithin(validationError.path, path))
        .map((validationError) => ({ ...validationError, path: validationError.path.slice(path.length) || '.' }))
}

function isWithin(path: string, surrounding: string): boolean {
  return path.startsWith(surrounding) && ['', '.', '['].includes(path.charAt(surrounding.length))
}

function schemaCheck(validate: ValidateFunction): SchemaCheck {
  return (value) =>
    validate(value) ? [] : uniqueByPath((validate.errors ?? []).filter(isTopLevelError).flatMap(withSharedFieldErrors))
}

/** Of a union whose tag selects no branch, the fields that all branches share are validated all the same. */
function withSharedFieldErrors(error: ErrorObject): readonly ErrorObject[] {
  const shared = error.keyword === 'discriminator' ? sharedFieldErrors(error, bodies) : []
  return [error, ...shared.filter(isTopLevelError).flatMap(withSharedFieldErrors)]
}

/** A union reports once that no branch matches; the errors of each branch would be noise. */
function isTopLevelError({ schemaPath }: ErrorObject): boolean {
  return !/\/anyOf\/\d/.test(schemaPath)
}

/** A value that violates several keywords of its schema is reported as one error. */
function uniqueByPath(errors: readonly ErrorObject[]): readonly ValidationError[] {
  const byPath = new Map<string, ValidationError>()
  for (const error of errors) {
    const validationError = toValidationError(error)
    if (!byPath.has(validationError.path)) {
      byPath.set(validationError.path, validationError)
    }
    if (byPath.size === VALIDATION_ERRORS_MAX) {
      break
    }
  }
  return [...byPath.values()]
}

function toValidationError(error: ErrorObject): ValidationError {
  const path = pathOf(error)
  const named = namedCodeOf(error)
  const rule = error.keyword === 'discriminator' && missingOf(error) !== undefined ? 'required' : error.keyword
  const parsing = PARSING_BY_KEYWORD[rule] ?? 'InvalidFieldFormat'
  const found = {
    code: named ?? GENERAL_VALIDATION_CODE,
    reason: messageOf(error),
    path: path === '' ? '.' : path,
    rule,
    ...(parsing === 'InvalidFieldType' || parsing === 'UnknownEnumValue' ? { isMistyped: true as const } : {}),
  }
  // An error code that a schema names is used for parsing errors as well.
  return named === undefined ? { ...found, parsing } : found
}

/** Every other keyword is a format error. */
const PARSING_BY_KEYWORD: Readonly<Partial<Record<string, ParsingCode>>> = {
  required: 'MissingField',
  type: 'InvalidFieldType',
  anyOf: 'InvalidFieldType',
  enum: 'UnknownEnumValue',
  const: 'UnknownEnumValue',
  discriminator: 'UnknownEnumValue',
}

function pathOf(error: ErrorObject): string {
  const parts = error.instancePath.split('/').slice(1).map(unescapePointer)
  const field = missingOf(error) ?? (error.keyword === 'discriminator' ? error.params['tag'] : undefined)
  return [...parts, ...(field === undefined ? [] : [field])]
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
}

function namedCodeOf(error: ErrorObject): ValidationCode | undefined {
  const missing = error.keyword === 'discriminator' ? undefined : missingOf(error)
  const schema = missing === undefined ? error.parentSchema : error.parentSchema?.['properties']?.[missing]
  const named: NamedFailures = schema?.['invalid'] ?? {}
  return named[error.keyword]
}

function missingOf(error: ErrorObject): string | undefined {
  const { keyword, params } = error
  const isTagMissing = keyword === 'discriminator' && params['tagValue'] === undefined
  return isTagMissing ? params['tag'] : keyword === 'required' ? params['missingProperty'] : undefined
}

/** The position of a path in the body; a missing field has the position of its parent. */
function positionOf(path: string, body: unknown, namesByObject: Map<object, readonly string[]>): readonly number[] {
  const position: number[] = []
  let value = body
  for (const name of namesIn(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      break
    }
    if (Array.isArray(value)) {
      position.push(Number(name))
    } else {
      const names = namesByObject.getOrInsertComputed(value, Object.keys)
      position.push(names.indexOf(name))
    }
    value = Reflect.get(value, name)
  }
  return position
}

/** A parent precedes its children. */
function compare(left: readonly number[], right: readonly number[]): number {
  const step = left.findIndex((ordinal, level) => ordinal !== right[level])
  return step === -1 ? left.length - right.length : (left[step] ?? 0) - (right[step] ?? -1)
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The body with an empty text for each object or list where its schema requires another type. */
export function replaceMistypedFields<Body>(body: Body, validationErrors: readonly ValidationError[]): Body {
  const paths = validationErrors.filter(({ isMistyped }) => isMistyped).map(({ path }) => namesIn(path))
  // The compiler cannot know that business validation reads invalid fields as texts, if at all.
  return paths.reduce<unknown>(withEmptyText, body) as Body
}

function withEmptyText(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
    return value
  }
  const part: unknown = Reflect.get(value, name)
  const replaced = rest.length > 0 ? withEmptyText(part, rest) : typeof part === 'object' ? '' : part
  return Array.isArray(value) ? value.with(Number(name), replaced) : { ...value, [name]: replaced }
}
