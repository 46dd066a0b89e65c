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
const Operation = Type.Object({ operationId: Type.String(), responses: Type.Record(Type.String(), Reference) })
const Header = Type.Object({ required: Type.Optional(Type.Boolean()), schema: Type.Object({}) })
const Xs2aStandard = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
  components: Type.Object({
    schemas: Type.Record(Type.String(), Type.Object({})),
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

/** The operation of a method and path; the path with the fewest placeholders takes precedence. */
export function operationOf(standard: Xs2aStandard, method: string, path: string): StandardOperation | undefined {
  const [fitting] = Object.entries(standard.paths)
    .filter(([template]) => fits(template, path))
    .toSorted(([one], [other]) => placeholders(one) - placeholders(other))
  return fitting?.[1][method.toLowerCase()]
}

/** The response that the standard defines for an operation and status. */
export function answerOf(
  standard: Xs2aStandard,
  operation: StandardOperation,
  status: number,
): StandardAnswer | undefined {
  const name = operation.responses[status]?.$ref.split('/').at(-1)
  return name === undefined ? undefined : standard.components.responses[name]
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
