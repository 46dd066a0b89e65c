/** Guarantees of the sandbox bank as a program of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/fresh-database.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

describe('the program', () => {
  const start = (environment: Record<string, string>): ChildProcess =>
    fork(new URL('./main.ts', import.meta.url), {
      env: {
        DATABASE_URL: database.connectionString,
        HAVN_SANDBOX_BANK_PORT: '0',
        HAVN_SANDBOX_XS2A_PORT: '0',
        HAVN_LOG_LEVEL: 'error',
        ...environment,
      },
      silent: true,
    })

  test('says when it is ready, and ends when told to', async () => {
    const child = start({})
    const [ready] = await once(child, 'message')
    expect(ready).toMatchObject({ ready: true, pagesUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
    expect((await fetch(`${ready.pagesUrl}/`)).status).toBe(200)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  test('ends when its parent is gone', async () => {
    const child = start({})
    await once(child, 'message')
    child.disconnect()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  test.each([
    ['DATABASE_URL', ''],
    ['HAVN_SANDBOX_XS2A_PORT', '80000'],
    ['HAVN_LOG_LEVEL', 'loud'],
  ])('names %s when it is wrong', async (name, value) => {
    const child = start({ [name]: value })
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'exit')
    expect(code).toBe(1)
    await vi.waitFor(() => expect(said).toContain(name))
  })
})
