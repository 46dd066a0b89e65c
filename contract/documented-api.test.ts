/** Compares the contract with the published API: paths, headers, fields, values, codes and statuses. */
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import documented from '../data/documented-interface.json' with { type: 'json' }
import { CODED_ERRORS, isCodedErrorCode } from './errors/coded-errors.ts'
import { documentedForm } from './errors/documented-form.ts'
import { documentsErrorCode } from './errors/error-bodies.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { apiDeviations } from './testing/api-deviations.ts'

type Documented = {
  readonly place: string
  readonly headers: Readonly<Record<string, string>>
  readonly request: FieldsAndValues & { readonly deprecated: readonly string[] }
  readonly answer: FieldsAndValues & { readonly status?: number }
  readonly failures: readonly string[]
  readonly validation: readonly string[]
  readonly refusals: readonly number[]
  readonly codedRefusals: Readonly<Record<string, string>>
}
type FieldsAndValues = {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly values: Readonly<Record<string, readonly string[]>>
}
/** A field, and whether its object requires it. */
type Field = { readonly schema: object; readonly required: boolean }

const table: Readonly<Record<string, Documented>> = documented.operations
const byId: Readonly<Record<string, Operation>> = operations
const addresses = { base: '{base_url}', auth: '{auth_url}', onboarding: '{onboarding_url}' } as const

// Every test that calls the gateway compares its responses with the contract: `check-response.ts`.
test('the contract equals the published API, except for the listed deviations', () => {
  const found = Object.entries(table).flatMap(([id, entry]) => {
    const operation = byId[id]
    return operation === undefined
      ? [`${id}: missing`]
      : differences(operation, entry).map((difference) => `${id}: ${difference}`)
  })
  const listed = apiDeviations.flatMap(({ operations: ids, differences: texts }) =>
    (ids === 'all' ? Object.keys(table) : ids).flatMap((id) => texts.map((text) => `${id}: ${text}`)),
  )
  const general = new Set(
    apiDeviations.flatMap(({ operations: ids, differences: texts }) => (ids === 'all' ? texts : [])),
  )
  expect(found.filter((text) => !listed.includes(text))).toEqual([])
  const stale = listed.filter((text) => !found.includes(text) && !general.has(text.replace(/^\w+: /, '')))
  expect(stale).toEqual([])
})

test('every deviation has a reason', () => {
  expect(apiDeviations.filter(({ reason }) => reason.length < 20)).toEqual([])
})

const { envelope, withFailure, validationError, parsingError, codes } = documented.errorBodies
const STATUSES = [400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 422, 429, 500, 503]

test('an error body has the documented fields and, unless the request asks for details, nothing else', () => {
  const all: readonly Operation[] = Object.values(operations)
  const differing = all
    .filter(({ errorFormat }) => errorFormat !== 'oauth')
    .flatMap((operation) =>
      STATUSES.map((status) => [operation, status, Object.keys(bodyWithDetails(operation, status))] as const),
    )
    .filter(([operation, status, fields]) => fields.join() !== documentedErrorFields(operation, status).join())
  expect(differing.map(([{ id }, status, fields]) => `${id} ${status} has ${fields}`)).toEqual([])
})

/** The body of an error that has every field, reduced to the documented form. */
function bodyWithDetails(operation: Operation, status: number): object {
  const code = codeOf(operation, status) ?? 'ACCESS_DENIED'
  const error = { code, reason: 'x', path: '.', docs: 'x', rule: 'x', value: 'x', message: 'x' }
  if (status === 422) {
    return Object(documentedForm(operation, status, [error]))[0]
  }
  const failure = withFailureAt(operation, status) ? { failure: code } : {}
  const more = { svcRequestId: 'x', message: 'x', additionalInformation: {}, paymentId: 'x', errors: [error] }
  const { message: _last, ...first } = error
  return documentedForm(operation, status, { ...failure, ...first, ...more })
}

function documentedErrorFields(operation: Operation, status: number): readonly string[] {
  if (status === 422 || (status === 400 && operation.malformed === 'parsing-error')) {
    return status === 422 ? validationError : parsingError
  }
  const known: Readonly<Record<string, readonly string[]>> = codes
  return known[codeOf(operation, status) ?? ''] ?? (withFailureAt(operation, status) ? withFailure : envelope)
}

function withFailureAt(operation: Operation, status: number): boolean {
  return codeOf(operation, status) !== undefined || (status === 400 && operation.failures.length > 0)
}

/** The code that the operation lists for errors of this status. */
function codeOf(operation: Operation, status: number): string | undefined {
  const listed = Object.keys(CODED_ERRORS).filter(isCodedErrorCode)
  return listed.find((code) => CODED_ERRORS[code].status === status && documentsErrorCode(operation, code))
}

function differences(operation: Operation, entry: Documented): readonly string[] {
  const place = `${operation.method} ${addresses[operation.server]}${operation.path}`
  return [
    ...(place === entry.place ? [] : [`is at ${place}`]),
    ...headerDifferences(operation, entry),
    ...requestDifferences(operation, entry),
    ...answerDifferences(operation, entry),
    ...unlike('failure', operation.failures, entry.failures),
    ...unlike('validation code', operation.validation, entry.validation),
    ...statusDifferences(operation, entry),
  ]
}

function headerDifferences({ admits, psu }: Operation, { headers }: Documented): readonly string[] {
  const taken = {
    'consent-id': admits === 'consent' ? 'required' : 'none',
    'PSU-IP-Address': psu,
    'PSU-User-Agent': psu,
  }
  return Object.entries(taken).flatMap(([name, need]) => {
    const told = headers[name] ?? 'none'
    return told === need || (told === 'sent' && need !== 'none') ? [] : [`header ${name} is ${need}`]
  })
}

function requestDifferences(operation: Operation, { request }: Documented): readonly string[] {
  const fields = new Map([
    ...fieldsOf(operation.body, ''),
    ...[...fieldsOf(operation.query, '')].map(([path, found]) => [path.replace('.', '?'), found] as const),
  ])
  const known = [...request.required, ...request.optional]
  return [
    ...known.filter((path) => !fields.has(path)).map((path) => `request field ${path} is missing`),
    ...request.required
      .filter((path) => fields.get(path)?.required === false)
      .map((path) => `request field ${path} is not required`),
    ...[...fields]
      .filter(([path, { required }]) => required && !isDocumented(path, request))
      .map(([path]) => `request field ${path} is required`),
    ...request.deprecated
      .filter((path) => !('deprecated' in (fields.get(path)?.schema ?? {})))
      .map((path) => `request field ${path} is not deprecated`),
    ...valueDifferences('request', fields, request),
  ]
}

/** A required field may be within an optional object, and an object that has a required field is required. */
function isDocumented(path: string, { required, optional }: FieldsAndValues): boolean {
  const isParentOptional = optional.some((parent) => path.startsWith(`${parent}.`) || path.startsWith(`${parent}[]`))
  return isParentOptional || required.some((known) => known === path || known.startsWith(`${path}.`))
}

function answerDifferences(operation: Operation, { answer }: Documented): readonly string[] {
  const fields = fieldsOf(operation.answer.schema ?? undefined, '')
  const { required, optional, status } = answer
  return [
    ...(status === undefined || status === operation.answer.status ? [] : [`status ${operation.answer.status}`]),
    ...[...required, ...optional]
      .filter((path) => !fields.has(path))
      .map((path) => `response field ${path} is missing`),
    ...required
      .filter((path) => fields.get(path)?.required === false)
      .map((path) => `response field ${path} may be absent`),
    ...valueDifferences('answer', fields, answer),
  ]
}

function valueDifferences(
  part: string,
  fields: ReadonlyMap<string, Field>,
  { values }: FieldsAndValues,
): readonly string[] {
  return Object.entries(values).flatMap(([path, expected]) =>
    unlike(`${part} value of ${path}`, valuesOf(fields.get(path)?.schema), expected),
  )
}

function statusDifferences(operation: Operation, entry: Documented): readonly string[] {
  const { refusals, failures, codedRefusals } = entry
  const known = [401, ...refusals, ...(failures.length > 0 ? [400] : [])]
  const codes = Object.entries(codedRefusals).filter(
    ([status, code]) =>
      !isCodedErrorCode(code) || CODED_ERRORS[code].status !== Number(status) || !documentsErrorCode(operation, code),
  )
  return [
    ...operation.errorStatuses.filter((status) => !known.includes(status)).map((status) => `status ${status}`),
    ...refusals
      .filter((status) => !operation.errorStatuses.some((listed) => listed === status))
      .map((status) => `no status ${status}`),
    ...codes.map(([status, code]) => `no ${status} with ${code}`),
  ]
}

function unlike(what: string, ours: readonly string[], theirs: readonly string[]): readonly string[] {
  return [
    ...ours.filter((one) => !theirs.includes(one)).map((one) => `${what} ${one}`),
    ...theirs.filter((one) => !ours.includes(one)).map((one) => `no ${what} ${one}`),
  ]
}

/**
 * Every field of a schema by its path; of unions, the fields of every branch, required if every branch requires them.
 */
function fieldsOf(schema: TSchema | undefined, path: string): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>()
  const { properties = {}, required = [], items, anyOf = [], oneOf = [] } = Object(schema)
  for (const [name, field] of Object.entries(properties)) {
    const at = `${path}.${name}`
    fields.set(at, { schema: Object(field), required: required.includes(name) })
    copyAll(fields, fieldsOf(Object(field), at))
  }
  if (items !== undefined) {
    fields.set(`${path}[]`, { schema: items, required: false })
    copyAll(fields, fieldsOf(items, `${path}[]`))
  }
  const branches = [...anyOf, ...oneOf].filter((branch) => 'type' in branch || 'oneOf' in branch)
  const maps = branches.map((branch: TSchema) => fieldsOf(branch, path))
  for (const [at, found] of maps.flatMap((map) => [...map])) {
    const isEverywhere = maps.every((map) => map.get(at)?.required === true)
    fields.set(at, { ...found, required: isEverywhere })
  }
  return fields
}

function copyAll(fields: Map<string, Field>, more: ReadonlyMap<string, Field>): void {
  for (const [path, found] of more) {
    fields.set(path, found)
  }
}

function valuesOf(schema: object | undefined): readonly string[] {
  const { enum: values = [], const: value } = Object(schema)
  return value === undefined ? values : [value]
}
