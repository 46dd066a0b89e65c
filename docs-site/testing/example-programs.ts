/** Makes programs of the examples in three languages, which tests run. */

import type { Operation } from '../../contract/operation.ts'
import { renderCSharp } from '../examples/csharp-example.ts'
import {
  DAY_VARIABLES,
  EXAMPLE_VARIABLES,
  READER_VARIABLES,
  variableOf,
  variablesFrom,
} from '../examples/example-variables.ts'
import { renderPython, snakeCase } from '../examples/python-example.ts'
import { examplesOf } from '../examples/request-example.ts'
import { renderTypeScript } from '../examples/typescript-example.ts'

const DAYS: Readonly<Record<string, string>> = { today: '2026-11-23', dueDate: '2026-11-25', monthAgo: '2026-10-23' }

/** The value of each variable by its name in programs. */
export const variableValues: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...EXAMPLE_VARIABLES, ...READER_VARIABLES].map(({ name, value }) => [name, value])),
  ...DAYS,
}

/** A part of the contract's example with these values. */
export function withVariableValues(part: unknown): unknown {
  return JSON.parse(
    JSON.stringify(part ?? null, (field, value: unknown) => {
      const variable = variableOf(field, value)
      return variable === undefined ? value : `${variableValues[variable.name]}${variable.time ?? ''}`
    }),
  )
}

/** The path of an operation with the parameters of its example. */
export function filledPath(path: string, params: unknown): string {
  const filled = Object(withVariableValues(params))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(filled[name]))
}

/** The module: a function for each example, which takes the client, the user's session and the variables. */
export function typeScriptProgram(operations: readonly Operation[]): string {
  const variables = [...EXAMPLE_VARIABLES, ...READER_VARIABLES, ...DAY_VARIABLES].map(({ name }) => name)
  const functions = operations.flatMap((operation) =>
    examplesOf(operation).map((example) => {
      const defined = variablesFrom(operation, example).map(({ name }) => name)
      const given = [...new Set(variables)].filter((name) => !defined.includes(name)).map((name) => `${name}: string`)
      const parameters = ['havn: HavnClient', 'psu: PsuSession', ...given].join(', ')
      const head = `export async function ${operation.id}_${example.index}(${parameters})`
      return `${head} {\n${renderTypeScript(operation, example)}\n}\n`
    }),
  )
  return [`import type { HavnClient, PsuSession } from '@havn/client'`, '', ...functions].join('\n')
}

/** The module: a function for each example, which takes the client, the user's session and the variables. */
export function pythonProgram(operations: readonly Operation[]): string {
  const texts = [...new Set([...EXAMPLE_VARIABLES, ...READER_VARIABLES].map(({ name }) => name))]
  const days = DAY_VARIABLES.map(({ name }) => `${snakeCase(name)}: date`)
  const functions = operations.flatMap((operation) =>
    examplesOf(operation).map((example) => {
      const body = renderPython(operation, example).split('\n')
      const lines = body.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
      const defined = variablesFrom(operation, example).map(({ name }) => name)
      const given = texts.filter((name) => !defined.includes(name)).map((name) => `${snakeCase(name)}: str`)
      const parameters = ['havn: Havn', 'psu: PsuSession', ...given, ...days].join(', ')
      return `def ${snakeCase(operation.id)}_${example.index}(${parameters}) -> None:\n${lines}\n`
    }),
  )
  return ['from datetime import date', 'from havn import Havn, PsuSession', '', ...functions].join('\n')
}

/** Reads the base URL from `HAVN_URL`; `values` are those of the variables. */
export function csharpProgram(operations: readonly Operation[], values: Readonly<Record<string, string>>): string {
  const examples = operations.flatMap((operation) =>
    examplesOf(operation).map((example) => ({
      name: `${operation.id}_${example.index}`,
      code: renderCSharp(operation, example),
    })),
  )
  const lines = [
    ...USED_NAMESPACES.map((name) => `using ${name};`),
    'static class Examples {',
    'static readonly HttpClient http = new HttpClient();',
    'static readonly string havn = Environment.GetEnvironmentVariable("HAVN_URL");',
    ...Object.entries(values).map(([name, value]) => `static readonly string ${name} = ${JSON.stringify(value)};`),
    ...examples.map(({ name, code }) => `static async Task ${name}() {\n${code}\n}`),
    `static async Task Run() {\n${examples.map(({ name }) => `await ${name}();`).join('\n')}\n}`,
    'static void Main() { Run().GetAwaiter().GetResult(); }',
    '}',
  ]
  return `${lines.join('\n')}\n`
}

const USED_NAMESPACES = [
  'System',
  'System.Collections.Generic',
  'System.Net.Http',
  'System.Text',
  'System.Text.Json',
  'System.Threading.Tasks',
]
