/** Tests that the generated parts of the TypeScript client are up to date, and how schemas are written as types. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientSource } from './client-source.ts'
import { docComment, typeDeclaration } from './schema-types.ts'

describe('the generated parts of the client', () => {
  const folder = new URL('../../sdk/generated/', import.meta.url)

  it.each(Object.entries(clientSource()))(
    '%s is up to date (otherwise: node contract/write-openapi.ts)',
    (file, text) => {
      // The texts are long: equality alone is shown.
      expect(readFileSync(new URL(file, folder), 'utf8') === text).toBe(true)
    },
  )

  it('are all files of their folder', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(clientSource()).sort())
  })
})

describe('a schema', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'string', enum: ['a', "b's"] }, "'a' | 'b\\'s'"],
    [{ const: true }, 'true'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }, 'A | B'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    [{ type: 'array', items: { $ref: '#/components/schemas/A' } }, 'A[]'],
    [{ type: 'object', patternProperties: { '^.*$': { type: 'string' } } }, '{ [name: string]: string }'],
    [{ type: 'object', properties: { 'a-b': { type: 'number' } }, required: ['a-b'] }, "{\n  'a-b': number\n}"],
    [
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        'x-required-one-of': [['a'], ['b']],
      },
      '{\n  a?: string\n  b?: number\n} & ({ a: string } | { b: number })',
    ],
    [{}, 'unknown'],
  ])('%j', (schema, type) => {
    expect(typeDeclaration('T', schema)).toBe(`export type T = ${type}\n`)
  })
})

describe('a comment', () => {
  it('is wrapped, keeps its paragraphs, and cannot be ended by its text', () => {
    expect(docComment(['Short.'])).toBe('/** Short. */\n')
    expect(docComment(['One.', undefined, 'Two */ x.'], '  ')).toBe('  /**\n   * One.\n   *\n   * Two *\\/ x.\n   */\n')
    const lines = docComment(['word '.repeat(60)], '    ').split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120)
    expect(docComment([])).toBe('')
  })
})
