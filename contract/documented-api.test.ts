/** Compares the contract with what the published interface documents: places, headers, members, values, codes, statuses. */
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import documented from '../data/documented-interface.json' with { type: 'json' }
import { apiDeviations } from './api-deviations.ts'
import { CODED_ERRORS, documentsErrorCode, isCodedErrorCode } from './errors/coded-errors.ts'
import { ErrorResponse, ParsingError, ValidationError } from './errors/error-codes.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'

type Documented = {
  readonly place: string
  readonly headers: Readonly<Record<string, string>>
  readonly request: Members & { readonly deprecated: readonly string[] }
  readonly answer: Members & { readonly status?: number }
  readonly failures: readonly string[]
  readonly validation: readonly string[]
  readonly refusals: readonly number[]
  readonly codedRefusals: Readonly<Record<string, string>>
}
type Members = {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly values: Readonly<Record<string, readonly string[]>>
}
/** A member with whether the object that holds it demands it. */
type Found = { readonly schema: object; readonly required: boolean }

const table: Readonly<Record<string, Documented>> = documented.operations
const byId: Readonly<Record<string, Operation>> = operations
const addresses = { base: '{base_url}', auth: '{auth_url}', onboarding: '{onboarding_url}' } as const

// What the gateway answers is compared with the contract by every test that asks it: `check-response.ts`.
test('the contract is what the interface documents, but for the deviations that are listed', () => {
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

test('the bodies of errors have the documented members', () => {
  expect(Object.keys(ErrorResponse.properties).slice(0, 2)).toEqual(['svcRequestId', 'message'])
  expect(ErrorResponse.required).toEqual(['svcRequestId', 'message'])
  expect(ValidationError.required).toEqual(['code', 'reason', 'path'])
  expect(ParsingError.required).toEqual(['code', 'reason', 'path'])
})

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
  const members = new Map([
    ...membersOf(operation.body, ''),
    ...[...membersOf(operation.query, '')].map(([path, found]) => [path.replace('.', '?'), found] as const),
  ])
  const known = [...request.required, ...request.optional]
  return [
    ...known.filter((path) => !members.has(path)).map((path) => `request member ${path} is not taken`),
    ...request.required
      .filter((path) => members.get(path)?.required === false)
      .map((path) => `request member ${path} is not required`),
    ...[...members]
      .filter(([path, { required }]) => required && !isDocumented(path, request))
      .map(([path]) => `request member ${path} is required`),
    ...request.deprecated
      .filter((path) => !('deprecated' in (members.get(path)?.schema ?? {})))
      .map((path) => `request member ${path} is not deprecated`),
    ...valueDifferences('request', members, request),
  ]
}

/** A member may be required within an object that is optional, and an object that holds a required member is required. */
function isDocumented(path: string, { required, optional }: Members): boolean {
  const isParentOptional = optional.some((parent) => path.startsWith(`${parent}.`) || path.startsWith(`${parent}[]`))
  return isParentOptional || required.some((known) => known === path || known.startsWith(`${path}.`))
}

function answerDifferences(operation: Operation, { answer }: Documented): readonly string[] {
  const members = membersOf(operation.answer.schema ?? undefined, '')
  const { required, optional, status } = answer
  return [
    ...(status === undefined || status === operation.answer.status ? [] : [`status ${operation.answer.status}`]),
    ...[...required, ...optional]
      .filter((path) => !members.has(path))
      .map((path) => `answer member ${path} is not answered`),
    ...required
      .filter((path) => members.get(path)?.required === false)
      .map((path) => `answer member ${path} may be absent`),
    ...valueDifferences('answer', members, answer),
  ]
}

function valueDifferences(part: string, members: ReadonlyMap<string, Found>, { values }: Members): readonly string[] {
  return Object.entries(values).flatMap(([path, expected]) =>
    unlike(`${part} value of ${path}`, valuesOf(members.get(path)?.schema), expected),
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

/** Every member of a schema by its path; of unions, the members of every branch, required where every branch demands them. */
function membersOf(schema: TSchema | undefined, path: string): ReadonlyMap<string, Found> {
  const members = new Map<string, Found>()
  const { properties = {}, required = [], items, anyOf = [], oneOf = [] } = Object(schema)
  for (const [name, member] of Object.entries(properties)) {
    const at = `${path}.${name}`
    members.set(at, { schema: Object(member), required: required.includes(name) })
    copyAll(members, membersOf(Object(member), at))
  }
  if (items !== undefined) {
    members.set(`${path}[]`, { schema: items, required: false })
    copyAll(members, membersOf(items, `${path}[]`))
  }
  const branches = [...anyOf, ...oneOf].filter((branch) => 'type' in branch || 'oneOf' in branch)
  const maps = branches.map((branch: TSchema) => membersOf(branch, path))
  for (const [at, found] of maps.flatMap((map) => [...map])) {
    const isEverywhere = maps.every((map) => map.get(at)?.required === true)
    members.set(at, { ...found, required: isEverywhere })
  }
  return members
}

function copyAll(members: Map<string, Found>, more: ReadonlyMap<string, Found>): void {
  for (const [path, found] of more) {
    members.set(path, found)
  }
}

function valuesOf(schema: object | undefined): readonly string[] {
  const { enum: values = [], const: value } = Object(schema)
  return value === undefined ? values : [value]
}
