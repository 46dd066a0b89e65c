/** Writes all C# examples as one program that runs them in the order of the operations, for tests that compile and run it. */
import type { Operation } from '../../contract/operation.ts'
import { renderCSharp } from '../examples/csharp-example.ts'
import { examplesOf } from '../examples/request-example.ts'

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
