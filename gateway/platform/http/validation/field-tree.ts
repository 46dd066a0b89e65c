/** Compiles which fields a schema knows, and which of their values an error may quote. */
import type { TSchema } from 'typebox'
import { QUOTED_CHARACTERS_MAX } from '../../../../contract/errors/error-bodies.ts'

/** What a schema says about the fields of a value. */
export type FieldTree = {
  /** By name; null where any field is permitted. */
  readonly fields: ReadonlyMap<string, FieldTree> | null
  /** The elements of a list. */
  readonly elements: FieldTree | null
  /** The alternatives of a union by the value of its tag. */
  readonly branches: { readonly tag: string; readonly byTag: ReadonlyMap<string, FieldTree> } | null
  /** Whether the value is a code, a date, a choice or a count, never a name, an account, an amount or a secret. */
  readonly quotable: 'text' | 'count' | null
}

const ANY: FieldTree = { fields: null, elements: null, branches: null, quotable: null }

/** A schema without fields permits any; the properties of a union's branches belong to its branches. */
export function compileFieldTree(schema: TSchema | undefined): FieldTree {
  const { properties, items, oneOf, discriminator, type, quotable, enum: values, const: value } = Object(schema)
  const isQuotable = quotable === true || Array.isArray(values) || value !== undefined
  return {
    fields: properties === undefined ? null : fieldsOf(properties),
    elements: items === undefined ? null : compileFieldTree(items),
    branches: Array.isArray(oneOf) && discriminator !== undefined ? branchesOf(oneOf, discriminator) : null,
    quotable: isQuotable ? (type === 'integer' ? 'count' : 'text') : null,
  }
}

/** The fields of an object: of a union those of the branch that its tag selects, and any where it selects none. */
export function fieldsIn(tree: FieldTree, value: object): FieldTree['fields'] {
  if (tree.branches === null) {
    return tree.fields
  }
  const { tag, byTag } = tree.branches
  const selected: unknown = Object.hasOwn(value, tag) ? Reflect.get(value, tag) : undefined
  const branch = typeof selected === 'string' ? byTag.get(selected) : undefined
  return branch === undefined ? null : fieldsIn(branch, value)
}

/** What the schema says about the value at a path, such as `.transactions[3].amount.currency`, and the value itself. */
export function fieldAt(
  tree: FieldTree,
  value: unknown,
  path: string,
): { readonly tree: FieldTree; readonly value: unknown } | undefined {
  let found = { tree, value }
  for (const [, name, index] of path.matchAll(/\.([^.[]+)|\[(\d+)\]/g)) {
    const key = name ?? index ?? ''
    if (typeof found.value !== 'object' || found.value === null || !Object.hasOwn(found.value, key)) {
      return undefined
    }
    const known = Array.isArray(found.value) ? found.tree.elements : fieldsIn(found.tree, found.value)?.get(key)
    found = { tree: known ?? ANY, value: Reflect.get(found.value, key) }
  }
  return found
}

function fieldsOf(properties: Readonly<Record<string, TSchema>>): ReadonlyMap<string, FieldTree> {
  return new Map(Object.entries(properties).map(([name, schema]) => [name, compileFieldTree(schema)]))
}

function branchesOf(oneOf: readonly TSchema[], { propertyName }: { readonly propertyName: string }) {
  const tagged = oneOf.map((branch) => {
    const { properties } = Object(branch)
    return [String(properties?.[propertyName]?.const), compileFieldTree(branch)] as const
  })
  return { tag: propertyName, byTag: new Map(tagged) }
}

const CUT = '…'
/** A code, a date and a choice are one word; a name that was sent in the wrong field often is not. */
const ONE_WORD = /^[\x21-\x7e]+$/
/** Account numbers and the national ids of the Nordic countries, without their separators. */
const LONG_NUMBER = /\d{6}[-+A-Y]?\d{3}/i
const SEPARATORS = /[.-]/g
/** An amount, where none is expected. */
const PLAIN_NUMBER = /^[-+]?(\d{3,}|\d+[.,]\d+)$/

/** The value at a path of a request, cut to its maximum length; undefined where it must not be quoted. */
export function quotedValueAt(tree: FieldTree, request: unknown, path: string): string | undefined {
  const found = fieldAt(tree, request, path)
  const quotable = found?.tree.quotable ?? null
  if (quotable === null || !['string', 'number', 'boolean'].includes(typeof found?.value)) {
    return undefined
  }
  const text = String(found?.value)
  if (!ONE_WORD.test(text) || LONG_NUMBER.test(text.replaceAll(SEPARATORS, ''))) {
    return undefined
  }
  if (quotable === 'text' && PLAIN_NUMBER.test(text)) {
    return undefined
  }
  return text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}${CUT}` : text
}
