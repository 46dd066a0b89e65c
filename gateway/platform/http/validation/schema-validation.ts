/** Checks bodies and queries against their schemas, and lists every problem with its code and path, in body order. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import {
  GENERAL_VALIDATION_CODE,
  type ParsingCode,
  type ValidationCode,
} from '../../../../contract/errors/error-codes.ts'
import type { Problem } from '../errors/api-error.ts'
import { messageOf } from './validation-message.ts'

/** Which failure a schema names for which keyword, e.g. `{ pattern: 'InvalidAmount' }`. */
type NamedFailures = Readonly<Partial<Record<string, ValidationCode>>>

/** Finds the shape problems of a value. */
export type ShapeCheck = (value: unknown) => readonly Problem[]

/** So many problems are told of at most: nobody reads more, and a small body could hold a great many. */
export const PROBLEMS_MAX = 100

const OPTIONS = {
  allErrors: true,
  verbose: true,
  strict: true,
  strictTypes: false,
  discriminator: true,
  removeAdditional: false,
  keywords: ['invalid', 'form', 'example'],
}

const bodies = withFormats(new Ajv({ ...OPTIONS, coerceTypes: false }))
// Without `strictNumbers: false` no bound is checked of `1e400`, which is read as infinite.
const queries = withFormats(new Ajv({ ...OPTIONS, coerceTypes: true, strictNumbers: false }))

/** Compiles the check of a JSON body; nothing is coerced and nothing is removed. */
export function bodyCheck(schema: TSchema): ShapeCheck {
  return shapeCheck(bodies.compile(schema))
}

/** Compiles the check of a query or of path parameters, whose texts may stand for numbers and booleans. */
export function queryCheck(schema: TSchema): ShapeCheck {
  return shapeCheck(queries.compile(schema))
}

/** Merges the findings of schema and rules into the order in which their parts stand in the body. */
export function inBodyOrder(problems: readonly Problem[], body: unknown): readonly Problem[] {
  const namesByObject = new Map<object, readonly string[]>()
  return problems
    .map((problem) => ({ problem, position: positionOf(problem.path, body, namesByObject) }))
    .sort((left, right) => compare(left.position, right.position))
    .map(({ problem }) => problem)
}

/** Whether no problem was found at a path, below it, or in what surrounds it. */
export function isSound(path: string, problems: readonly Problem[]): boolean {
  return !problems.some(
    (problem) => problem.path === '.' || isWithin(path, problem.path) || isWithin(problem.path, path),
  )
}

/** The problems of a schema and of texts; a text that its schema rejects already is reported once. */
export function withTextProblems(inSchema: readonly Problem[], texts: readonly Problem[]): readonly Problem[] {
  return [...inSchema, ...texts.filter(({ path }) => isSound(path, inSchema))]
}

/** The problems at a path or below it, as if what is there were the whole body. */
export function problemsBelow(path: string, problems: readonly Problem[]): readonly Problem[] {
  return path === ''
    ? problems
    : problems
        .filter((problem) => isWithin(problem.path, path))
        .map((problem) => ({ ...problem, path: problem.path.slice(path.length) || '.' }))
}

function isWithin(path: string, surrounding: string): boolean {
  return path.startsWith(surrounding) && ['', '.', '['].includes(path.charAt(surrounding.length))
}

function shapeCheck(validate: ValidateFunction): ShapeCheck {
  return (value) => (validate(value) ? [] : uniqueByPath((validate.errors ?? []).filter(isWhole)))
}

/** A union says once that no branch fits; what each branch says besides would be noise. */
function isWhole({ schemaPath }: ErrorObject): boolean {
  return !/\/anyOf\/\d/.test(schemaPath)
}

/** A value that breaks several keywords of its schema is one problem to its reader. */
function uniqueByPath(errors: readonly ErrorObject[]): readonly Problem[] {
  const byPath = new Map<string, Problem>()
  for (const error of errors) {
    const problem = problemOf(error)
    if (!byPath.has(problem.path)) {
      byPath.set(problem.path, problem)
    }
    if (byPath.size === PROBLEMS_MAX) {
      break
    }
  }
  return [...byPath.values()]
}

function problemOf(error: ErrorObject): Problem {
  const path = pathOf(error)
  const named = namedCodeOf(error)
  const parsing = PARSING_BY_KEYWORD[error.keyword] ?? 'InvalidFieldFormat'
  const found = {
    code: named ?? GENERAL_VALIDATION_CODE,
    reason: messageOf(error),
    path: path === '' ? '.' : path,
    ...(parsing === 'InvalidFieldType' || parsing === 'UnknownEnumValue' ? { isMistyped: true as const } : {}),
  }
  // What a schema names a code for is told by that code, also where other defects of shape are told by theirs.
  return named === undefined ? { ...found, parsing } : found
}

/** Whatever else a schema demands is a matter of form. */
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
  const missing = missingOf(error)
  return [...parts, ...(missing === undefined ? [] : [missing])]
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
}

function namedCodeOf(error: ErrorObject): ValidationCode | undefined {
  const missing = missingOf(error)
  const schema = missing === undefined ? error.parentSchema : error.parentSchema?.['properties']?.[missing]
  const named: NamedFailures = schema?.['invalid'] ?? {}
  return named[error.keyword]
}

function missingOf(error: ErrorObject): string | undefined {
  return error.keyword === 'required' ? error.params['missingProperty'] : undefined
}

/** Which member of which element a path leads to; of what is missing, that of its surroundings. */
function positionOf(path: string, body: unknown, namesByObject: Map<object, readonly string[]>): readonly number[] {
  const position: number[] = []
  let value = body
  for (const [, name, index = name ?? ''] of path.matchAll(/\.([^.[]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, index)) {
      break
    }
    if (Array.isArray(value)) {
      position.push(Number(index))
    } else {
      const names = namesByObject.get(value) ?? Object.keys(value)
      namesByObject.set(value, names)
      position.push(names.indexOf(index))
    }
    value = Reflect.get(value, index)
  }
  return position
}

/** What surrounds comes before what is in it. */
function compare(left: readonly number[], right: readonly number[]): number {
  const step = left.findIndex((ordinal, level) => ordinal !== right[level])
  return step === -1 ? left.length - right.length : (left[step] ?? 0) - (right[step] ?? -1)
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv)
  return ajv
}
