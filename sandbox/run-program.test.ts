/** Tests what all programs of the sandbox share, with the smallest of them. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eventually } from '../gateway/testing/gateway/eventually.ts'
import { startProgram } from './testing/program-guarantees.ts'

const MAIN = new URL('./identity-provider/main.ts', import.meta.url)

test('a program ends when its parent has ended', async () => {
  const child = startProgram(MAIN, { HAVN_SANDBOX_IDENTITY_PORT: '0' })
  await once(child, 'message')
  child.disconnect()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test('a program with an invalid setting prints its name, and ends with 1', async () => {
  const child = startProgram(MAIN, { HAVN_SANDBOX_IDENTITY_PORT: '80000' })
  let reported = ''
  child.stderr?.on('data', (chunk) => {
    reported += chunk
  })
  const [code] = await once(child, 'exit')
  expect(code).toBe(1)
  await eventually(() => expect(reported).toContain('HAVN_SANDBOX_IDENTITY_PORT'))
})
