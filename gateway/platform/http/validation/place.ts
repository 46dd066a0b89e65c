/** Reads what the schemas of the contract say about each place of a body: its fields, and which of its values may be shown. */
import type { TSchema } from 'typebox'
import { QUOTED_CHARACTERS_MAX } from '../../../../contract/errors/error-bodies.ts'

/**
 * What the schemas of one place say, joined over the branches of their unions. Every request asks for the same places:
 * what their schemas say is read once.
 */
export type Place = {
  /** Whether any schema describes it: none where the operation does not know it. */
  readonly isKnown: boolean
  readonly isHidden: boolean
  /** By name; null where any field is permitted. */
  readonly fields: ReadonlyMap<string, Place> | null
  /** Of any other name, where an object may choose one. */
  readonly otherFields: Place | undefined
  readonly elements: Place | undefined
  /** The alternatives of a union by the value of its tag. */
  readonly branches: { readonly tag: string; readonly byTag: ReadonlyMap<string, Place> } | null
  readonly choices: ReadonlySet<unknown>
  readonly codes: readonly RegExp[]
  readonly isFlag: boolean
  readonly isWholeNumber: boolean
  readonly isNumber: boolean
  readonly isUuid: boolean
  readonly isTime: boolean
  /** Any text; a choice, an id and a time are shown only if they are one: anything else in their place is content. */
  readonly isText: boolean
  /** Any text that an error may quote: what it quotes was not a code or a date. */
  readonly isQuotableText: boolean
  /** Whether an error may quote it: a code, a date, a choice or a count, never a name, an account, an amount or a secret. */
  readonly isQuotable: boolean
}

const JOINING = ['anyOf', 'oneOf', 'allOf'] as const

const placeBySchema = new WeakMap<TSchema, Place>()

/** A schema, or a branch of its union. */
type Branch = Readonly<Record<string, unknown>>

/** The place that a schema describes; an unknown one without a schema. */
export function placeOf(schema: TSchema | null | undefined): Place {
  return schema === null || schema === undefined
    ? UNKNOWN
    : placeBySchema.getOrInsertComputed(schema, () => placeOfAll([schema]))
}

/** The place that any of these schemas describes. */
export function placeOfAll(schemas: readonly TSchema[]): Place {
  const branches = (schemas as unknown as readonly Branch[]).flatMap(branchesOf)
  const isSome = (test: (branch: Branch) => boolean) => branches.some(test)
  const [other, element] = [
    branches.flatMap(({ patternProperties }) => Object.values(Object(patternProperties)).slice(0, 1)),
    branches.flatMap(({ items }) => (items === undefined ? [] : [items])),
  ] as [TSchema[], TSchema[]]
  return {
    isKnown: branches.length > 0,
    isHidden: isSome(({ hidden }) => hidden === true),
    fields: isSome(({ properties }) => properties !== undefined) ? fieldsOf(branches) : null,
    otherFields: other.length === 0 ? undefined : placeOfAll(other),
    elements: element.length === 0 ? undefined : placeOfAll(element),
    branches: taggedBranchesOf(branches),
    choices: new Set(
      branches.flatMap((branch) => [...('const' in branch ? [branch['const']] : []), ...listIn(branch, 'enum')]),
    ),
    codes: branches.flatMap(({ quotable, pattern }) =>
      quotable === true && typeof pattern === 'string' ? [new RegExp(pattern, 'u')] : [],
    ),
    isFlag: isSome(({ type }) => type === 'boolean'),
    isWholeNumber: isSome(({ type }) => type === 'integer'),
    isNumber: isSome(({ type }) => type === 'number' || type === 'integer'),
    isUuid: isSome(({ format }) => format === 'uuid'),
    isTime: isSome(({ format }) => format === 'date-time'),
    isText: isSome((branch) => isFreeText(branch) && branch['quotable'] !== true),
    isQuotableText: isSome((branch) => isFreeText(branch) && branch['quotable'] === true),
    isQuotable: isSome((branch) => branch['quotable'] === true || 'enum' in branch || 'const' in branch),
  }
}

function branchesOf(schema: Branch): readonly Branch[] {
  return [schema, ...JOINING.flatMap((keyword) => (listIn(schema, keyword) as Branch[]).flatMap(branchesOf))]
}

function fieldsOf(branches: readonly Branch[]): ReadonlyMap<string, Place> {
  const fields = branches.flatMap(({ properties }) => Object.entries(Object(properties)) as [string, TSchema][])
  const schemasByName = Map.groupBy(fields, ([name]) => name)
  return new Map(
    [...schemasByName].map(([name, described]) => [name, placeOfAll(described.map(([, schema]) => schema))]),
  )
}

function taggedBranchesOf(branches: readonly Branch[]): Place['branches'] {
  const union = branches.find(({ discriminator }) => discriminator !== undefined)
  if (union === undefined) {
    return null
  }
  const tag = String(Object(union['discriminator']).propertyName)
  const alternatives = listIn(union, 'oneOf') as (TSchema & Branch)[]
  return {
    tag,
    byTag: new Map(alternatives.map((one) => [String(Object(one['properties'])[tag]?.const), placeOf(one)])),
  }
}

function isFreeText({ type, format, enum: choices, const: constant }: Branch): boolean {
  return (
    type === 'string' && choices === undefined && constant === undefined && (format === undefined || format === 'uri')
  )
}

function listIn(branch: Branch, keyword: string): readonly unknown[] {
  const value = branch[keyword]
  return Array.isArray(value) ? value : []
}

const UNKNOWN = placeOfAll([])

/** The place of an element by its position, or of a field; of any other name where an object may have all. */
export function partPlace({ fields, otherFields, elements }: Place, key: string | number): Place {
  return (typeof key === 'number' ? elements : (fields?.get(key) ?? otherFields)) ?? UNKNOWN
}

/** The fields of an object: of a union those of the branch that its tag selects, and any where it selects none. */
export function fieldsIn({ branches, fields }: Place, value: object): Place['fields'] {
  if (branches === null) {
    return fields
  }
  const selected: unknown = Object.hasOwn(value, branches.tag) ? Reflect.get(value, branches.tag) : undefined
  const branch = typeof selected === 'string' ? branches.byTag.get(selected) : undefined
  return branch === undefined ? null : fieldsIn(branch, value)
}

const CUT = '…'
/** A code, a date and a choice are one word; a name that was sent in the wrong field often is not. */
const ONE_WORD = /^[\x21-\x7e]+$/
/** Account numbers and the national ids of the Nordic countries, without their separators. */
const LONG_NUMBER = /\d{6}[-+A-Y]?\d{3}/i
const SEPARATORS = /[.-]/g
/** An amount, where none is expected. */
const PLAIN_NUMBER = /^[-+]?(\d{3,}|\d+[.,]\d+)$/

/** The names and positions of a path, from the outermost on. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\.([^.[]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? '')
}

/**
 * The value at a path of a request, such as `.transactions[3].amount.currency`, cut to its maximum length; undefined
 * where it must not be quoted.
 */
export function quotedValueAt(root: Place, request: unknown, path: string): string | undefined {
  let place = root
  let value = request
  for (const key of namesIn(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      return undefined
    }
    place = (Array.isArray(value) ? place.elements : fieldsIn(place, value)?.get(key)) ?? UNKNOWN
    value = Reflect.get(value, key)
  }
  if (!place.isQuotable || !['string', 'number', 'boolean'].includes(typeof value)) {
    return undefined
  }
  const text = String(value)
  const mayBeNumber = !place.isWholeNumber && PLAIN_NUMBER.test(text)
  if (!ONE_WORD.test(text) || LONG_NUMBER.test(text.replaceAll(SEPARATORS, '')) || mayBeNumber) {
    return undefined
  }
  return text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}${CUT}` : text
}
