/** Renders an example as a request in C#, with nothing but the base library of .NET. */
import type { Operation } from '../../contract/operation.ts'
import { type ExampleVariable, type VariableName, variableOf, variablesFrom } from './example-variables.ts'
import { exampleHeaders, laidOut, type RequestExample } from './request-example.ts'

/** Names of fields that are words of C#. */
const WORDS: ReadonlySet<string> = new Set(['event', 'in', 'is', 'operator', 'params', 'ref'])

/** The request; `http` is an `HttpClient`, `havn` the base URL, `token` the access token. */
export function renderCSharp(operation: Operation, example: RequestExample): string {
  const method = operation.method.charAt(0) + operation.method.slice(1).toLowerCase()
  const defined = variablesFrom(operation, example)
  return [
    `var request = new HttpRequestMessage(HttpMethod.${method}, ${urlOf(operation, example)});`,
    ...headersOf(operation),
    ...contentOf(operation, example),
    'var response = await http.SendAsync(request);',
    ...(operation.answer.schema === null ? [] : ['var answer = await response.Content.ReadAsStringAsync();']),
    ...(defined.length === 0 ? [] : ['var json = JsonDocument.Parse(answer).RootElement;']),
    ...defined.map(assignment),
  ].join('\n')
}

function headersOf(operation: Operation): readonly string[] {
  const written = exampleHeaders(operation, {
    bearer: '$"Bearer {token}"',
    newId: 'Guid.NewGuid().ToString()',
    text: quoted,
    variable: ({ name }) => name,
  })
  return written.map(([name, value]) => `request.Headers.Add("${name}", ${value});`)
}

function urlOf({ path }: Operation, { params, query }: RequestExample): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inText(name, params[name]))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${inText(name, value)}`)
  return `$"{havn}${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}"`
}

/** A value within an interpolated text of a URL. */
function inText(field: string, value: unknown): string {
  const variable = variableOf(field, value)
  return variable === undefined ? encodeURIComponent(String(value)) : `{${variable.name}}${variable.time ?? ''}`
}

function contentOf({ bodyType }: Operation, { body }: RequestExample): readonly string[] {
  if (body === undefined) {
    return []
  }
  if (bodyType === 'form') {
    const fields = Object.entries(Object(body)).map(([name, value]) => `    ["${name}"] = ${literal(value, '', name)},`)
    return ['request.Content = new FormUrlEncodedContent(new Dictionary<string, string>', '{', ...fields, '});']
  }
  return [
    `var body = JsonSerializer.Serialize(${literal(body, '')});`,
    'request.Content = new StringContent(body, Encoding.UTF8, "application/json");',
  ]
}

function assignment({ name, path }: ExampleVariable): string {
  const steps = [...path.matchAll(/\[(\d+)\]|(\w+)/g)].map(([, index, member]) =>
    index === undefined ? `.GetProperty("${member}")` : `[${index}]`,
  )
  return `var ${name} = json${steps.join('')}.GetString();`
}

/** A value as an expression, on one line where it fits. */
function literal(value: unknown, indent: string, field = ''): string {
  const variable = variableOf(field, value)
  if (variable !== undefined) {
    return expressionOf(variable)
  }
  if (typeof value === 'string') {
    return quoted(value)
  }
  return typeof value === 'object' && value !== null ? compound(value, indent) : JSON.stringify(value)
}

function expressionOf({ name, time }: VariableName): string {
  return time === undefined ? name : `$"{${name}}${time}"`
}

/** Escapes are those of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text)
}

function compound(value: object, indent: string): string {
  const inner = `${indent}    `
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([name, member]) => {
    const text = literal(member, inner, name)
    return isList ? text : `${WORDS.has(name) ? '@' : ''}${name} = ${text}`
  })
  // Objects of a list differ in their members, and so in their types.
  const begin = isList ? 'new object[]' : 'new'
  return laidOut(parts, { line: [`${begin} { `, ' }'], block: [`${begin}\n${indent}{`, '}'], indent, inner })
}
