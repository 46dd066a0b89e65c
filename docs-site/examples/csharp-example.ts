/** Renders an example as a request in C#, with nothing but the base library of .NET. */
import type { Operation } from '../../contract/operation.ts'
import { type ExampleVariable, variableOf, variablesFrom } from './example-variables.ts'
import { exampleHeaders, type RequestExample } from './request-example.ts'
import { type Language, writeLiteral } from './write-literal.ts'

/** Names of fields that are words of C#. */
const WORDS: ReadonlySet<string> = new Set(['event', 'in', 'is', 'operator', 'params', 'ref'])

const CSHARP: Language = {
  indentation: '    ',
  // Objects of a list differ in their members, and so in their types.
  list: { line: ['new object[] { ', ' }'], block: ['new object[]\n{', '}'] },
  object: { line: ['new { ', ' }'], block: ['new\n{', '}'] },
  variable: ({ name, time }) => (time === undefined ? name : `$"{${name}}${time}"`),
  /** Escapes are those of JSON. */
  plain: (value) => JSON.stringify(value),
  member: (name, text) => `${WORDS.has(name) ? '@' : ''}${name} = ${text}`,
}

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
    text: CSHARP.plain,
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
    const fields = Object.entries(Object(body)).map(
      ([name, value]) => `    ["${name}"] = ${writeLiteral(CSHARP, value, '', name)},`,
    )
    return ['request.Content = new FormUrlEncodedContent(new Dictionary<string, string>', '{', ...fields, '});']
  }
  return [
    `var body = JsonSerializer.Serialize(${writeLiteral(CSHARP, body)});`,
    'request.Content = new StringContent(body, Encoding.UTF8, "application/json");',
  ]
}

function assignment({ name, path }: ExampleVariable): string {
  const steps = [...path.matchAll(/\[(\d+)\]|(\w+)/g)].map(([, index, member]) =>
    index === undefined ? `.GetProperty("${member}")` : `[${index}]`,
  )
  return `var ${name} = json${steps.join('')}.GetString();`
}
