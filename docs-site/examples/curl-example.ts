/** Renders an example as a curl command whose ids are variables that an earlier example has set. */
import type { Operation } from '../../contract/operation.ts'
import { type ExampleVariable, type VariableName, variableOf, variablesFrom } from './example-variables.ts'
import { exampleHeaders, type RequestExample } from './request-example.ts'

/** The command; `$HAVN` is the base URL, `$TOKEN` the access token. */
export function renderCurl(operation: Operation, example: RequestExample): string {
  const query = Object.entries(example.query).map(([name, value]) => `${name}=${queryValue(name, value)}`)
  const url = `"$HAVN${pathOf(operation, example)}${query.length === 0 ? '' : `?${query.join('&')}`}"`
  // curl's default: POST with a body, GET without.
  const defaultMethod = example.body === undefined ? 'GET' : 'POST'
  const method = operation.method === defaultMethod ? '' : `-X ${operation.method} `
  const command = [`curl -s ${method}${url}`, ...headersOf(operation), ...bodyOf(operation, example)].join(' \\\n  ')
  const defined = variablesFrom(operation, example)
  return defined.length === 0 ? command : assigning(command, defined)
}

/** The response is printed, and its ids are set. */
function assigning(command: string, variables: readonly ExampleVariable[]): string {
  const assignments = variables.map(({ shellName, path }) => `${shellName}=$(json ${quotedPath(path)} <<< "$ANSWER")`)
  return [`ANSWER=$(${command}${command.endsWith('END') ? '\n' : ''})`, ...assignments, 'echo "$ANSWER"'].join('\n')
}

/** Brackets are patterns for file names in zsh. */
function quotedPath(path: string): string {
  return path.includes('[') ? shellQuoted(`it.${path}`) : `it.${path}`
}

function headersOf(operation: Operation): readonly string[] {
  const written = exampleHeaders(operation, {
    bearer: 'Bearer $TOKEN',
    newId: '$RANDOM-$RANDOM-$RANDOM',
    text: (value) => value,
    variable: ({ shellName }) => `$${shellName}`,
  })
  return written.map(([name, value]) => `-H "${name}: ${value}"`)
}

function pathOf({ path }: Operation, { params }: RequestExample): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => queryValue(name, params[name]))
}

function queryValue(name: string, value: unknown): string {
  const variable = variableOf(name, value)
  return variable === undefined ? encodeURIComponent(String(value)) : shellValue(variable)
}

/** The value of a variable; the shell runs nothing while one that the reader must set is not set. */
function shellValue({ shellName, meaning, time }: VariableName): string {
  if (time !== undefined) {
    return `\${${shellName}}${time}`
  }
  return meaning === undefined ? `$${shellName}` : `\${${shellName}:?Set it to ${meaning}}`
}

function bodyOf({ bodyType }: Operation, { body }: RequestExample): readonly string[] {
  if (body === undefined) {
    return []
  }
  if (bodyType === 'form') {
    return Object.entries(Object(body)).map(([name, value]) => `-d ${shellQuoted(`${name}=${value}`)}`)
  }
  const { text, hasVariables } = withVariables(body)
  const type = '-H "Content-Type: application/json"'
  return hasVariables ? [type, `-d @- <<END\n${text}\nEND`] : [type, `-d ${shellQuoted(JSON.stringify(body, null, 2))}`]
}

/** The JSON as a here-document, in which the shell expands variables. */
function withVariables(body: unknown): { readonly text: string; readonly hasVariables: boolean } {
  const values: string[] = []
  const marked = JSON.stringify(
    body,
    (field, value: unknown) => {
      const variable = variableOf(field, value)
      return variable === undefined ? value : `@${values.push(shellValue(variable)) - 1}@`
    },
    2,
  )
  const escaped = marked.replaceAll(/[\\$`]/g, '\\$&')
  const text = escaped.replaceAll(/"@(\d+)@"/g, (_, index: string) => `"${values[Number(index)]}"`)
  return { text, hasVariables: values.length > 0 }
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
