/** Checks bodies and queries against their schemas, and lists every problem with its code and path, in body order. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import type { ValidationCode } from '../../../contract/failures.ts'
import type { Problem } from './refusal.ts'

/** Which failure a schema names for which keyword, e.g. `{ pattern: 'InvalidAmount' }`. */
type NamedFailures = Readonly<Partial<Record<string, ValidationCode>>>

/** Finds the shape problems of a value. */
export type ShapeCheck = (value: unknown) => readonly Problem[]

const OPTIONS = {
  allErrors: true,
  verbose: true,
  strict: true,
  strictTypes: false,
  discriminator: true,
  removeAdditional: false,
  keywords: ['invalid', 'example'],
}

const bodies = withFormats(new Ajv({ ...OPTIONS, coerceTypes: false }))
const queries = withFormats(new Ajv({ ...OPTIONS, coerceTypes: true }))

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
  const positions = new Map<string, number>()
  number(body, '', positions)
  const positionOf = (path: string): number => positions.get(path) ?? (path === '' ? 0 : positionOf(parentOf(path)))
  return problems
    .map((problem) => ({ problem, position: positionOf(problem.path) }))
    .sort((left, right) => left.position - right.position)
    .map(({ problem }) => problem)
}

/** Whether no problem was found at a path, below it, or in what surrounds it. */
export function isSound(path: string, problems: readonly Problem[]): boolean {
  return !problems.some(
    (problem) => problem.path === '.' || isWithin(path, problem.path) || isWithin(problem.path, path),
  )
}

/** Every text that PostgreSQL cannot keep, as a problem: those that hold U+0000. */
export function unkeepableTexts(value: unknown, path = ''): readonly Problem[] {
  if (typeof value === 'string') {
    return value.includes('\0') ? [{ code: 'InvalidRequest', reason: 'holds the character U+0000', path }] : []
  }
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => unkeepableTexts(element, `${path}[${index}]`))
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => unkeepableTexts(member, `${path}.${name}`))
    : []
}

function isWithin(path: string, surrounding: string): boolean {
  return path === surrounding || path.startsWith(`${surrounding}.`) || path.startsWith(`${surrounding}[`)
}

function shapeCheck(validate: ValidateFunction): ShapeCheck {
  return (value) => (validate(value) ? [] : uniqueByPath((validate.errors ?? []).filter(isWhole).map(problemOf)))
}

/** A union says once that no branch fits; what each branch says besides would be noise. */
function isWhole({ schemaPath }: ErrorObject): boolean {
  return !/\/anyOf\/\d/.test(schemaPath)
}

/** A value that breaks several keywords of its schema is one problem to its reader. */
function uniqueByPath(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.toReversed().map((problem) => [problem.path, problem])).values()].toReversed()
}

function problemOf(error: ErrorObject): Problem {
  const path = pathOf(error)
  return { code: codeOf(error), reason: reasonOf(error), path: path === '' ? '.' : path }
}

function pathOf(error: ErrorObject): string {
  const parts = error.instancePath.split('/').slice(1).map(unescapePointer)
  const missing = missingOf(error)
  return [...parts, ...(missing === undefined ? [] : [missing])]
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
}

function codeOf(error: ErrorObject): ValidationCode {
  const missing = missingOf(error)
  const schema = missing === undefined ? error.parentSchema : error.parentSchema?.['properties']?.[missing]
  const named: NamedFailures = schema?.['invalid'] ?? {}
  return named[error.keyword] ?? 'InvalidRequest'
}

function reasonOf(error: ErrorObject): string {
  if (missingOf(error) !== undefined) {
    return 'is required'
  }
  if (error.keyword === 'enum') {
    return `must be one of ${error.params['allowedValues'].join(', ')}`
  }
  if (error.keyword === 'discriminator') {
    return `${error.params['tag']} is missing or is none of the known values`
  }
  const explained: unknown = ['pattern', 'anyOf', 'not'].includes(error.keyword)
    ? error.parentSchema?.['description']
    : undefined
  return typeof explained === 'string' ? `does not fit: ${explained}` : (error.message ?? 'is not valid')
}

function missingOf(error: ErrorObject): string | undefined {
  return error.keyword === 'required' ? error.params['missingProperty'] : undefined
}

function number(value: unknown, path: string, positions: Map<string, number>): void {
  positions.set(path, positions.size)
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      number(element, `${path}[${index}]`, positions)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      number(member, `${path}.${name}`, positions)
    }
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0))
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv)
  return ajv
}
