/** Validates every example against the schemas of its operation. */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { examplesByOperation } from './examples-by-operation.ts'

const ajv = new Ajv({
  allErrors: true,
  discriminator: true,
  strict: true,
  strictTypes: false,
  keywords: ['invalid', 'form', 'quotable', 'hidden'],
})
addFormats.default(ajv)

const entries = Object.values<Operation>(operations)
const examplesOf = (id: string) => Object.entries(examplesByOperation).find(([operationId]) => operationId === id)?.[1]

describe.each(entries)('the examples of $id', (entry) => {
  const examples = examplesOf(entry.id) ?? []
  const parts = { params: entry.params, query: entry.query, body: entry.body, answer: entry.answer.schema ?? undefined }

  it('are at least one', () => {
    expect(examples.length).toBeGreaterThan(0)
  })

  it.each(Object.entries(parts))(
    'have a %s exactly where the operation has one, and it matches the schema',
    (part, schema) => {
      for (const example of examples) {
        const value: unknown = Object.entries(example).find(([name]) => name === part)?.[1]
        if (schema === undefined) {
          expect(value).toBeUndefined()
        } else if (part !== 'query' || value !== undefined) {
          const check = ajv.compile(schema)
          check(value)
          expect(check.errors ?? [], example.summary).toEqual([])
        }
      }
    },
  )
})
