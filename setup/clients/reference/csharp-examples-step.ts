/** Compiles the C# examples of the reference with Mono, runs them, and compares what they send with the contract. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fastify } from 'fastify'
import type { Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { consentVariable } from '../../../docs-site/examples/example-variables.ts'
import { examplesOf, type RequestExample } from '../../../docs-site/examples/request-example.ts'
import { csharpProgram } from '../../../docs-site/testing/csharp-program.ts'
import { filledPath, variableValues, withVariableValues } from '../../../docs-site/testing/variable-values.ts'
import { ROOT } from '../../source-files.ts'
import type { ClientEnvironment, ClientStep } from '../client-step.ts'
import { ensureProgram } from '../ensure-program.ts'

/** Mono's compiler and runtime; .NET is in no registry. It has no System.Text.Json: `SystemTextJson.cs` is in its place. */
const PACKAGES = [
  'mono-mcs',
  'mono-runtime',
  'libmono-system-net-http4.0-cil',
  'libmono-system-web-extensions4.0-cil',
] as const
const REFERENCES = ['-r:System.Net.Http.dll', '-r:System.Web.Extensions.dll']

type Received = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export const csharpExamplesStep: ClientStep = {
  name: 'csharp-examples',
  title: 'the C# examples of the reference: compiled and run with Mono',
  run: async (environment) => {
    await ensureProgram('mcs', PACKAGES)
    await writeFile(
      join(environment.folder, 'Examples.cs'),
      csharpProgram(Object.values(operations), { token: 'a token', ...variableValues }),
    )
    const json = join(ROOT, 'setup/clients/reference/SystemTextJson.cs')
    await environment.run('mcs', [...REFERENCES, 'Examples.cs', json])
    const sent = await runExamples(environment)
    environment.report(`${sent} examples of the reference`)
    return { language: 'C#', compiled: 'mcs', paid: `${sent} examples` }
  },
}

/** Returns how many requests it has compared. */
async function runExamples({ run }: ClientEnvironment): Promise<number> {
  const all: readonly Operation[] = Object.values(operations)
  const cases = all.flatMap((operation) => examplesOf(operation).map((example) => ({ operation, example })))
  const received: Received[] = []
  const server = fastify()
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.all('/*', async ({ method, url, headers, body }) => {
    received.push({ method, url, headers, body: String(body ?? '') })
    return cases[received.length - 1]?.example.answer ?? {}
  })
  try {
    await run('mono', ['Examples.exe'], {
      variables: { HAVN_URL: await server.listen({ host: '127.0.0.1', port: 0 }) },
    })
  } finally {
    await server.close()
  }
  assert.equal(received.length, cases.length)
  for (const [index, { operation, example }] of cases.entries()) {
    compare(operation, example, received[index])
  }
  return cases.length
}

function compare(operation: Operation, example: RequestExample, sent: Received | undefined): void {
  const query = Object.entries(Object(withVariableValues(example.query))).map(([name, value]) => `${name}=${value}`)
  const path = filledPath(operation.path, example.params)
  assert.deepEqual(
    [sent?.method, decodeURIComponent(sent?.url ?? '')],
    [operation.method, query.length === 0 ? path : `${path}?${query.join('&')}`],
  )
  const { headers = {}, body = '' } = sent ?? {}
  assert.equal(
    headers['authorization'],
    operation.admits === 'anyone' ? undefined : `Bearer ${variableValues['token']}`,
  )
  assert.equal(
    headers['consent-id'],
    operation.admits === 'consent' ? variableValues[consentVariable(operation).name] : undefined,
  )
  assert.equal(headers['psu-ip-address'] !== undefined, operation.psu !== 'none')
  if (example.body !== undefined) {
    const isForm = operation.bodyType === 'form'
    const fields = isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)
    assert.deepEqual(fields, withVariableValues(example.body))
  }
}
