/** Reads the patched bank standard, and finds the operation of a path. */
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const Reference = Type.Object({ $ref: Type.String() })
const Content = Type.Record(Type.String(), Type.Object({ schema: Type.Object({}) }))
const Answer = Type.Object({
  headers: Type.Optional(Type.Record(Type.String(), Reference)),
  content: Type.Optional(Content),
})
const Parameter = Type.Object({
  name: Type.String(),
  in: Type.Union([Type.Literal('header'), Type.Literal('query'), Type.Literal('path')]),
  required: Type.Optional(Type.Boolean()),
  schema: Type.Object({}),
})
const RequestBody = Type.Object({ required: Type.Optional(Type.Boolean()), content: Content })
const Operation = Type.Object({
  operationId: Type.String(),
  parameters: Type.Optional(Type.Array(Reference)),
  requestBody: Type.Optional(Type.Union([Reference, RequestBody])),
  responses: Type.Record(Type.String(), Reference),
})
const Header = Type.Object({ required: Type.Optional(Type.Boolean()), schema: Type.Object({}) })
const Xs2aStandard = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
  components: Type.Object({
    schemas: Type.Record(Type.String(), Type.Object({})),
    parameters: Type.Record(Type.String(), Parameter),
    requestBodies: Type.Record(Type.String(), RequestBody),
    responses: Type.Record(Type.String(), Answer),
    headers: Type.Record(Type.String(), Header),
  }),
})
export type Xs2aStandard = Static<typeof Xs2aStandard>
export type StandardOperation = Static<typeof Operation>
export type StandardAnswer = Static<typeof Answer>

export const PATCHED_STANDARD = new URL('../../third_party/psd2-api-patched.json', import.meta.url)

export function readXs2aStandard(): Xs2aStandard {
  return Value.Parse(Xs2aStandard, JSON.parse(readFileSync(PATCHED_STANDARD, 'utf8'), withNumericBounds))
}

/** A download has the schema of the list that it replaces. */
export const DOWNLOAD = /\/transactions\/download\/[^/]+$/

/** The operation of a method and path from `/v1` on; the path with the fewest placeholders takes precedence. */
export function operationOf(standard: Xs2aStandard, method: string, path: string): StandardOperation | undefined {
  const defined = path.replace(DOWNLOAD, '/transactions')
  const [fitting] = Object.entries(standard.paths)
    .filter(([template]) => fits(template, defined))
    .toSorted(([one], [other]) => placeholders(one) - placeholders(other))
  return fitting?.[1][method.toLowerCase()]
}

/** The headers and query parameters of an operation; any value fits in a path. */
export function parametersOf(
  { components }: Xs2aStandard,
  { parameters = [] }: StandardOperation,
): readonly Static<typeof Parameter>[] {
  const all = parameters.flatMap(({ $ref }) => components.parameters[nameOf($ref)] ?? [])
  return all.filter((parameter) => parameter.in !== 'path')
}

/** The body of a request; undefined where the standard has none. */
export function bodyOf(
  { components }: Xs2aStandard,
  { requestBody }: StandardOperation,
): Static<typeof RequestBody> | undefined {
  return requestBody !== undefined && '$ref' in requestBody
    ? components.requestBodies[nameOf(requestBody.$ref)]
    : requestBody
}

/** The response that the standard defines for an operation and status. */
export function answerOf(
  standard: Xs2aStandard,
  operation: StandardOperation,
  status: number,
): StandardAnswer | undefined {
  const reference = operation.responses[status]
  return reference && standard.components.responses[nameOf(reference.$ref)]
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function fits(template: string, path: string): boolean {
  const parts = template.split('/')
  const given = path.split('/')
  return parts.length === given.length && parts.every((part, index) => part.startsWith('{') || part === given[index])
}

function placeholders(template: string): number {
  return template.split('{').length
}

/** OpenAPI 3.0 has a boolean for an exclusive bound; JSON Schema, which validators use, has a number. */
function withNumericBounds(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('minimum' in value) || !('exclusiveMinimum' in value)) {
    return value
  }
  const { minimum, exclusiveMinimum, ...rest } = value
  return exclusiveMinimum === true ? { ...rest, exclusiveMinimum: minimum } : { ...rest, minimum }
}
