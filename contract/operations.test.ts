/** Checks every entry for what all code relies on: unique paths, described fields, listed codes. */
import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { VALIDATION_CODES } from './errors/error-codes.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'

type Node = { readonly path: string; readonly schema: Readonly<Record<string, unknown>> }

/** The DELETE that repairs. */
const CLEARS_FAULTS = 'healSandboxBanks'

const entries = Object.values<Operation>(operations)
const inputsOf = ({ params, query, body }: Operation) => [params, query, body].filter((schema) => schema !== undefined)
const schemasOf = (entry: Operation) => [
  ...inputsOf(entry),
  ...(entry.answer.schema === null ? [] : [entry.answer.schema]),
]

describe('the operations', () => {
  it('are listed under their own ids', () => {
    expect(entries.map(({ id }) => id)).toEqual(Object.keys(operations))
  })

  it('have a method and path of their own', () => {
    const places = entries.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it('are marked as destructive where they end, replace or disturb something', () => {
    const names = /^(abandon|cancel|disable|disturb|end|move|pause|revoke|rotate|update)/
    const expected = entries.filter(({ id, method }) => names.test(id) || (method === 'DELETE' && id !== CLEARS_FAULTS))
    const marked = entries.filter(({ destructive }) => destructive !== undefined).map(({ id }) => id)
    expect(marked.toSorted()).toEqual([...expected.map(({ id }) => id), 'setSandboxPaymentStatus'].toSorted())
  })
})

describe.each(entries)('$id', (entry) => {
  it('declares exactly the parameters of its path', () => {
    const named = [...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(entry.params?.properties ?? {})).toEqual(named)
    expect(entry.params?.required ?? []).toEqual(named)
  })

  it('describes every field of its request and response', () => {
    const silent = schemasOf(entry)
      .flatMap((schema) => fieldsOf(schema))
      .filter(({ schema }) => typeof schema['description'] !== 'string')
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('lists every code that its schemas name', () => {
    const named = inputsOf(entry).flatMap((schema) => nodesOf(schema).flatMap((node) => codesOf(node)))
    for (const code of named) {
      expect(VALIDATION_CODES).toContain(code)
      expect(entry.validation).toContain(code)
    }
  })

  it('accepts an Idempotency-Key if and only if it is a POST other than the one for tokens', () => {
    expect(entry.idempotent).toBe(entry.method === 'POST' && entry.id !== 'issueToken')
  })

  it('lists the errors for a missing token and a missing consent if it needs them', () => {
    expect(entry.errorStatuses.includes(401)).toBe(entry.admits !== 'anyone' || entry.id === 'issueToken')
    // The status of a payroll needs no consent-id, but the consent of the payroll must be valid.
    const needsConsent = entry.admits === 'consent' || entry.id === 'getPayrollStatus'
    expect(entry.failures.includes('INVALID_CONSENT')).toBe(needsConsent)
    expect(entry.psu !== 'none' && !entry.errorStatuses.includes(400)).toBe(false)
  })

  it('lists the errors for a body that is not JSON, and for an invalid body or query', () => {
    const takesBody = entry.body !== undefined
    // A body that is not JSON is rejected also where none is expected.
    expect(entry.method === 'GET' || entry.errorStatuses.includes(400)).toBe(true)
    const isChecked = (takesBody && entry.bodyType !== 'form') || entry.query !== undefined
    // An Idempotency-Key that was used for another request returns 422, also where malformed bodies return an envelope.
    const lists = entry.idempotent || (entry.malformed !== 400 && isChecked)
    expect(entry.validation.length > 0).toBe(lists)
    expect(entry.malformed === 400 && isChecked && !entry.errorStatuses.includes(400)).toBe(false)
  })
})

function fieldsOf(schema: TSchema): readonly Node[] {
  return nodesOf(schema).filter(({ path }) => /\.\w+$/.test(path))
}

/** A schema and all schemas in it, except branches that only require fields. */
function nodesOf(schema: unknown, path = ''): readonly Node[] {
  if (typeof schema !== 'object' || schema === null) {
    return []
  }
  const node = Object.fromEntries(Object.entries(schema))
  const { properties, items, anyOf = [], oneOf = [] } = node
  const branches = [...anyOf, ...oneOf].filter((branch) => 'type' in branch)
  return [
    { path, schema: node },
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => nodesOf(member, `${path}.${name}`)),
    ...nodesOf(items, `${path}[]`),
    ...branches.flatMap((branch, index) => nodesOf(branch, `${path}|${index}`)),
  ]
}

function codesOf({ schema }: Node): readonly string[] {
  return Object.values(Object(schema['invalid'])).map(String)
}
