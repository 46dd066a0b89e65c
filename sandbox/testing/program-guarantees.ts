/** Declares the tests of how each sandbox program starts and stops. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eventually } from '../../gateway/testing/gateway/eventually.ts'

export type ProgramUnderTest = {
  readonly main: URL
  /** The settings to start it on free ports. */
  readonly settings: () => Readonly<Record<string, string>>
  /** The name under which it reports its pages' URL to its parent. */
  readonly pages: string
  /** Settings with an invalid value each. */
  readonly wrong: readonly (readonly [name: string, value: string])[]
}

/** Programs share the compile cache. */
const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

export function programGuarantees({ main, pages, settings, wrong }: ProgramUnderTest): void {
  const start = (environment: Readonly<Record<string, string>> = {}): ChildProcess =>
    fork(main, { env: { ...COMPILED, HAVN_LOG_LEVEL: 'error', ...settings(), ...environment }, silent: true })

  test('reports when it is ready, and ends on a signal', async () => {
    const child = start()
    const [ready] = await once(child, 'message')
    expect(ready).toMatchObject({ ready: true, [pages]: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
    expect((await fetch(`${ready[pages]}/`)).status).toBe(200)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  test('ends when its parent has ended', async () => {
    const child = start()
    await once(child, 'message')
    child.disconnect()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  test.each<readonly [string, string]>([...wrong, ['HAVN_LOG_LEVEL', 'loud']])(
    'names %s when it is invalid',
    async (name, value) => {
      const child = start({ [name]: value })
      let reported = ''
      child.stderr?.on('data', (chunk) => {
        reported += chunk
      })
      const [code] = await once(child, 'exit')
      expect(code).toBe(1)
      await eventually(() => expect(reported).toContain(name))
    },
  )
}
