/** Says which values the contract admits to the request log, by the schemas that describe a place. */
import type { TSchema } from 'typebox'
import { isId } from '../platform/ids.ts'

/**
 * What the schemas of one place of a body admit, joined over the branches of their unions. Every request asks for the same
 * places: what their schemas say is read once.
 */
export type Place = {
  /** Whether any schema describes it: none where the operation does not know it. */
  readonly isKnown: boolean
  readonly isHidden: boolean
  readonly fields: ReadonlyMap<string, Place>
  /** Of any other name, where an object may choose one. */
  readonly otherFields: Place | undefined
  readonly elements: Place | undefined
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
}

/**
 * `open` admits whatever a schema describes and does not call `hidden`; `confidential` only structure: ids, dates, codes,
 * choices, counts and flags, which no person entered. `confidential error` admits the words of our own errors, too.
 */
export type LogPolicy = 'open' | 'confidential' | 'confidential error'

const DAY_OR_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/
/** Of a code or a time; longer ones are neither. */
const CODE_CHARACTERS_MAX = 40
const JOINING = ['anyOf', 'oneOf', 'allOf'] as const

const placeBySchema = new WeakMap<TSchema, Place>()

/** A schema, or a branch of its union. */
type Branch = Readonly<Record<string, unknown>>

/** The place that a schema of the contract describes; an unknown one without a schema. */
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
    fields: fieldsOf(branches),
    otherFields: other.length === 0 ? undefined : placeOfAll(other),
    elements: element.length === 0 ? undefined : placeOfAll(element),
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

/** The place of a field; of any other name where an object may have all. */
export function fieldPlace({ fields, otherFields }: Place, name: string): Place {
  return fields.get(name) ?? otherFields ?? UNKNOWN
}

export function elementPlace({ elements }: Place): Place {
  return elements ?? UNKNOWN
}

/** Whether a text, number or flag is what no person entered. */
export function isStructure(place: Place, value: unknown): boolean {
  if (place.choices.has(value)) {
    return true
  }
  if (typeof value !== 'string') {
    return (place.isFlag && typeof value === 'boolean') || (place.isWholeNumber && Number.isSafeInteger(value))
  }
  if (place.isUuid && isId(value)) {
    return true
  }
  return (
    value.length <= CODE_CHARACTERS_MAX &&
    (place.codes.some((code) => code.test(value)) || (place.isTime && DAY_OR_INSTANT.test(value)))
  )
}

/** Whether content of a place may be shown. */
export function isDescribed(place: Place, policy: LogPolicy, value: unknown): boolean {
  if (policy === 'confidential') {
    return false
  }
  return typeof value === 'string'
    ? place.isText || (place.isQuotableText && policy !== 'confidential error')
    : typeof value === 'number' && place.isNumber
}
