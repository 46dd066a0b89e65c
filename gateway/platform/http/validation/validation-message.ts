/** Renders a schema error as a sentence that begins with the name of the field. */

import { isDeepStrictEqual } from 'node:util'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

const validationOfUnion = new WeakMap<object, ValidateFunction>()

/** With no tag, or an unknown one, Ajv validates no branch: what would be an error in each of them is one all the same. */
export function sharedFieldErrors(error: ErrorObject, ajv: Ajv): readonly ErrorObject[] {
  const union = Object(error.parentSchema)
  const branches: readonly TSchema[] = union.oneOf ?? []
  const validate = validationOfUnion.get(union) ?? ajv.compile({ properties: sharedProperties(branches) })
  validationOfUnion.set(union, validate)
  const found = validate(error.data) ? [] : (validate.errors ?? [])
  return [
    ...missingFields(branches, error),
    ...found.map((each) => ({ ...each, instancePath: `${error.instancePath}${each.instancePath}` })),
  ]
}

/** The fields that all branches declare with the same schema. */
function sharedProperties([branch, ...others]: readonly TSchema[]): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(
    Object.entries(propertiesOf(branch)).filter(([name, schema]) =>
      others.every((other) => isDeepStrictEqual(propertiesOf(other)[name], schema)),
    ),
  )
}

function propertiesOf(schema: TSchema | undefined): Readonly<Record<string, TSchema>> {
  return Object(schema).properties ?? {}
}

function missingFields([branch, ...others]: readonly TSchema[], error: ErrorObject): readonly ErrorObject[] {
  const missing = requiredFields(branch, error.data).filter(
    (name) =>
      name !== error.params['tag'] &&
      !Object.hasOwn(Object(error.data), name) &&
      others.every((other) => requiredFields(other, error.data).includes(name)),
  )
  return missing.map((missingProperty) => ({
    ...error,
    keyword: 'required',
    params: { missingProperty },
    ...(branch === undefined ? {} : { parentSchema: branch }),
  }))
}

/** Of alternatives those of the first, unless the value has a field that only another one requires. */
function requiredFields(schema: TSchema | undefined, value: unknown): readonly string[] {
  const { required = [], anyOf = [] }: { required?: string[]; anyOf?: { required: string[] }[] } = Object(schema)
  const chosen = anyOf.find((each) =>
    each.required.some((name) => !required.includes(name) && Object.hasOwn(Object(value), name)),
  )
  return [...required, ...((chosen ?? anyOf[0])?.required ?? [])]
}

const NAME_BY_TYPE: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}
const FORM_BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: 'a UUID, for example 01a207a2-0000-7000-8000-000000000000',
  uri: 'a URI',
}
const WRONG_FORMAT = 'has the wrong format'

type Params = Readonly<Record<string, unknown>>
type Schema = Readonly<Record<string, unknown>>

/** The predicate of the sentence, by keyword. */
const wordsByKeyword: Readonly<Record<string, (params: Params, schema: Schema) => string>> = {
  required: () => 'is required',
  type: ({ type }) => `must be ${[type].flat().map(typeName).join(' or ')}`,
  enum: ({ allowedValues }) => {
    const values = [allowedValues].flat()
    return `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`
  },
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  discriminator: ({ tag, tagValue }, schema) =>
    `${tagValue === undefined ? 'is required:' : 'must be'} one of ${tagsOf(schema, String(tag)).join(', ')}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} elements`),
  maxItems: ({ limit }) => `must have at most ${limit} elements`,
  uniqueItems: () => 'must not contain duplicate elements',
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  pattern: (_params, { form }) => (typeof form === 'string' ? form : WRONG_FORMAT),
  format: ({ format }, { form }) =>
    typeof form === 'string' ? form : `must be ${FORM_BY_FORMAT[String(format)] ?? 'of another format'}`,
  anyOf: (_params, { anyOf }) => wordsOfBranches([anyOf].flat()),
  not: (_params, { not }) => wordsOfBranches([Object(not).anyOf].flat(), 'must not have'),
}

/** Returns the predicate of the sentence. */
export function messageOf({ keyword, params, parentSchema }: ErrorObject): string {
  return wordsByKeyword[keyword]?.(params, parentSchema ?? {}) ?? WRONG_FORMAT
}

function typeName(type: unknown): string {
  return NAME_BY_TYPE[String(type)] ?? String(type)
}

function tagsOf({ oneOf }: Schema, tag: string): readonly string[] {
  const branches: readonly unknown[] = Array.isArray(oneOf) ? oneOf : []
  return branches.map((branch) => String(Object(branch).properties?.[tag]?.const))
}

/** Branches either require fields of the object, or are the alternative types of a value. */
function wordsOfBranches(branches: readonly unknown[], verb = 'must have'): string {
  const demanded = branches.map((branch) => [Object(branch).required ?? []].flat().join(' and '))
  if (demanded.every((names) => names !== '')) {
    return `${verb} ${[...new Set(demanded)].join(', or ')}`
  }
  return `must be ${branches.map((branch) => wordsOfType(Object(branch))).join(', or ')}`
}

function wordsOfType({ type, maxLength, minimum }: Schema): string {
  const limits = [
    ...(maxLength === undefined ? [] : [`of 1 to ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`of at least ${minimum}`]),
  ]
  return [typeName(type), ...limits].join(' ')
}
