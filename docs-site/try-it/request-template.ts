/** An example as a request whose ids, days and credentials are variables in braces, for programs that fill them in. */
import type { Operation } from '../../contract/operation.ts'
import { exampleHeaders } from '../examples/example-headers.ts'
import { variableOf } from '../examples/example-variables.ts'
import type { RequestExample } from '../examples/request-example.ts'

/** `a literal` or `{{name}}`; a value may have both, as `{{dueDate}}T12:00:00Z`. */
export type Template = string

/** The path as it stands in the URL, after its host. */
export function pathTemplate({ path }: Operation, { params }: RequestExample): Template {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueTemplate(name, params[name]))
}

/** The values of the query, in their order. */
export function queryTemplate({ query }: RequestExample): readonly (readonly [name: string, value: Template])[] {
  return Object.entries(query).map(([name, value]) => [name, valueTemplate(name, value)])
}

/** Every header; `{{$guid}}` is a new UUID for each request. */
export function headerTemplates(operation: Operation, { body }: RequestExample): Readonly<Record<string, Template>> {
  const written = exampleHeaders(operation, {
    bearer: 'Bearer {{token}}',
    newId: '{{$guid}}',
    text: (value) => value,
    variable: ({ name }) => `{{${name}}}`,
  })
  const hasJson = body !== undefined && operation.bodyType !== 'form'
  return { ...Object.fromEntries(written), ...(hasJson ? { 'Content-Type': 'application/json' } : {}) }
}

/** A body of JSON, indented. */
export function bodyTemplate({ body }: RequestExample): Template {
  return JSON.stringify(
    body,
    (field, value: unknown) => (typeof value === 'string' ? valueTemplate(field, value) : value),
    2,
  )
}

/** The fields of a form, with the reader's own credentials in place of those of the example. */
export function formTemplate({ body }: RequestExample): readonly (readonly [name: string, value: Template])[] {
  const variables: Readonly<Record<string, Template>> = {
    scope: '{{scope}}',
    client_id: '{{clientId}}',
    client_secret: '{{clientSecret}}',
  }
  return Object.entries(Object(body)).map(([name, value]) => [name, variables[name] ?? String(value)])
}

function valueTemplate(name: string, value: unknown): Template {
  const variable = variableOf(name, value)
  return variable === undefined ? String(value) : `{{${variable.name}}}${variable.time ?? ''}`
}
