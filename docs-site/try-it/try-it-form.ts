/** Renders what the page's script needs for a form that sends an example to this gateway, in the sandbox only. */
import { html } from 'ghtml'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { DETAILED_ERRORS } from '../../contract/errors/error-bodies.ts'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import type { Operation } from '../../contract/operation.ts'
import type { DocsSettings } from '../docs-settings.ts'
import { DAY_VARIABLES, variableOf, variablesFrom } from '../examples/example-variables.ts'
import { exampleHeaders, type RequestExample } from '../examples/request-example.ts'

/** How many days from today each day is. */
const DAYS = Object.fromEntries(DAY_VARIABLES.map(({ name, fromToday }) => [name, fromToday]))

/** Nothing in production: its requests move money, and tokens do not belong into a browser. */
export function tryItForm(operation: Operation, example: RequestExample, place: DocsSettings): string {
  if (place.mode !== 'sandbox') {
    return ''
  }
  const query = queryTemplate(example).map(([name, value]) => `${name}=${value}`)
  const request = {
    method: operation.method,
    path: `${pathTemplate(operation, example)}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: { ...headerTemplates(operation, example), Prefer: DETAILED_ERRORS },
    ...bodyOf(operation, example),
    defines: variablesFrom(operation, example).map(({ name, path }) => [name, path]),
    destructive: operation.destructive,
    known: knownValues(place),
    days: DAYS,
  }
  return html`<details class="try-it" hidden data-request="${JSON.stringify(request)}"><summary>Try it</summary></details>`
}

function bodyOf({ bodyType }: Operation, example: RequestExample): object {
  if (example.body === undefined) {
    return {}
  }
  return bodyType === 'form'
    ? {
        body: formTemplate(example)
          .map((field) => field.join('='))
          .join('\n'),
        isForm: true,
      }
    : { body: bodyTemplate(example) }
}

/** What need not be entered. */
function knownValues({ mode, demo }: DocsSettings): Readonly<Record<string, string>> {
  const { clientId, clientSecret } = demoCredentials
  return { scope: scopesByEnvironment[mode], ...(demo ? { clientId, clientSecret } : {}) }
}

/** `a literal` or `{{name}}`; a value may have both, as `{{dueDate}}T12:00:00Z`. */
type Template = string

/** The path as it stands in the URL, after its host. */
export function pathTemplate({ path }: Operation, { params }: RequestExample): Template {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueTemplate(name, params[name]))
}

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
