/** Guarantees of the sandbox's identity provider as a program of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'

function start(environment: Record<string, string>): ChildProcess {
  return fork(new URL('./main.ts', import.meta.url), {
    env: { HAVN_SANDBOX_IDENTITY_PORT: '0', HAVN_LOG_LEVEL: 'error', ...environment },
    silent: true,
  })
}

test('says when it is ready, and ends when told to', async () => {
  const child = start({})
  const [ready] = await once(child, 'message')
  expect(ready).toMatchObject({ ready: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
  expect(await (await fetch(`${ready.url}/`)).text()).toContain(`${ready.url}/bankid-no`)
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
  ['HAVN_SANDBOX_IDENTITY_PORT', '80000'],
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
