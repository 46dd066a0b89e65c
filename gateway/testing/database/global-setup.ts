/** Provides the test run with a PostgreSQL server and a migrated template, started on first use. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Value } from 'typebox/value'
import type { TestProject } from 'vitest/node'
import { makeTemplate, TestServer } from './template-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that returns the template for `freshDatabase`. */
    templateAddress: string
  }
}

/** Runs once before the tests, in the runner's process. Returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const endings: (() => Promise<void>)[] = []
  let template: Promise<unknown> | undefined
  const lender = createServer((_request, response) => {
    template ??= openServer(endings).then(makeTemplate)
    template.then(
      (made) => response.end(JSON.stringify(made)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await once(lender.listen(0, '127.0.0.1'), 'listening')
  const address = lender.address()
  if (address === null || typeof address === 'string') {
    throw new Error('The lender of the test database has no port')
  }
  project.provide('templateAddress', `http://127.0.0.1:${address.port}/`)
  return async () => {
    lender.close()
    await Promise.all(endings.map((end) => end()))
  }
}

/** The given server, or a new process, which ends with this one in any case. */
async function openServer(endings: (() => Promise<void>)[]): Promise<TestServer> {
  const given = process.env['HAVN_TEST_DATABASE_URL']
  if (given !== undefined) {
    return { server: given, isInMemory: false }
  }
  const keeper = fork(new URL('./postgres-process.ts', import.meta.url), {
    execPath: process.execPath,
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(keeper, 'exit')
  endings.push(async () => {
    keeper.disconnect()
    await exited
  })
  return await new Promise((resolve, reject) => {
    keeper.once('message', (started) => resolve(Value.Parse(TestServer, started)))
    keeper.once('exit', () => reject(new Error('PostgreSQL for the tests did not start')))
  })
}
