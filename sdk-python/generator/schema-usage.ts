/** Finds which schemas partners send and which they receive, since the two are generated differently. */
import { type OpenApiDocument, type OpenApiOperation, referredName, type Schema } from './openapi-types.ts'

/** Where schemas occur, by their names; errors are read by hand and are in neither. */
export type SchemaUsage = { readonly sent: ReadonlySet<string>; readonly received: ReadonlySet<string> }

const METHODS = ['get', 'post', 'patch', 'delete'] as const

/** An operation with its method and path. */
export type LocatedOperation = OpenApiOperation & { readonly method: string; readonly path: string }

/** All operations, in the order of the document. */
export function operationsOf({ paths }: OpenApiDocument): readonly LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ ...operation, method: method.toUpperCase(), path }]
    }),
  )
}

/** The responses of an operation that are no errors. */
export function successesOf({ responses }: OpenApiOperation) {
  return Object.entries(responses).filter(([status]) => status.startsWith('2'))
}

export function usageOf(document: OpenApiDocument): SchemaUsage {
  const operations = operationsOf(document)
  const events = Object.values(document.webhooks).map(({ post }) => post)
  const bodies = (list: readonly OpenApiOperation[]) =>
    list.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}).map(({ schema }) => schema))
  const parameters = operations.flatMap((operation) =>
    operation.parameters.flatMap((parameter) => (parameter.$ref === undefined ? [parameter.schema] : [])),
  )
  const answers = operations.flatMap((operation) =>
    successesOf(operation).flatMap(([, { content }]) => Object.values(content ?? {}).map(({ schema }) => schema)),
  )
  return {
    sent: reachable(document, [...bodies(operations), ...parameters]),
    received: reachable(document, [...answers, ...bodies(events)]),
  }
}

/** The names of all components that the schemas refer to, at any depth. */
function reachable({ components }: OpenApiDocument, roots: readonly Schema[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (schema: Schema) => {
    const name = referredName(schema)
    if (name !== undefined && !found.has(name)) {
      found.add(name)
      visit(components.schemas[name] ?? {})
    }
    for (const part of partsOf(schema)) {
      visit(part)
    }
  }
  for (const root of roots) {
    visit(root)
  }
  return found
}

/** The schemas directly within a schema. */
export function partsOf(schema: Schema): readonly Schema[] {
  const { properties, patternProperties, items, oneOf, anyOf, additionalProperties } = schema
  return [
    ...Object.values(properties ?? {}),
    ...Object.values(patternProperties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items === undefined ? [] : [items]),
    ...(oneOf ?? []),
    ...(anyOf ?? []),
  ]
}
