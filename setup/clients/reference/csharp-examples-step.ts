/** Compiles the C# examples of the reference with Mono, runs them, and compares what they send with the contract. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '../../../contract/operations.ts'
import { csharpProgram, variableValues } from '../../../docs-site/testing/example-programs.ts'
import { EXAMPLE_CASES, expectedRequest, startExampleReceiver } from '../../../docs-site/testing/sent-requests.ts'
import { ROOT } from '../../source-files.ts'
import type { ClientEnvironment, ClientStep } from '../client-step.ts'
import { ensureMono } from '../ensure-programs.ts'

/** Mono has no System.Text.Json: `SystemTextJson.cs` is in its place. */
const REFERENCES = ['-r:System.Net.Http.dll', '-r:System.Web.Extensions.dll']

export const csharpExamplesStep: ClientStep = {
  name: 'csharp-examples',
  title: 'the C# examples of the reference: compiled and run with Mono',
  run: async (environment) => {
    await ensureMono()
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
  const receiver = await startExampleReceiver()
  try {
    await run('mono', ['Examples.exe'], { variables: { HAVN_URL: receiver.address } })
  } finally {
    await receiver.close()
  }
  assert.equal(receiver.count(), EXAMPLE_CASES.length)
  for (const [index, sample] of EXAMPLE_CASES.entries()) {
    assert.deepEqual(receiver.sent(index), expectedRequest(sample))
  }
  return EXAMPLE_CASES.length
}
