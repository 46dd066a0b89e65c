/** Declares the tests of how each sandbox program starts and stops; `sandbox/run-program.test.ts` tests what they share. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { readProgramSettings } from '../settings.ts'

export type ProgramUnderTest = {
  readonly main: URL
  /** The settings to start it on free ports. */
  readonly settings: () => Readonly<Record<string, string>>
  /** All its settings, which the program reads first. */
  readonly table: Parameters<typeof readProgramSettings>[0]
  /** The name under which it reports its pages' URL to its parent. */
  readonly pages: string
  /** Settings with an invalid value each. */
  readonly wrong: readonly (readonly [name: string, value: string])[]
  /** What ends it, on a signal unless stated; both are done by the code that programs share. */
  readonly endsWith?: 'a signal' | 'its parent'
}

/** Programs share the compile cache. */
const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

export function startProgram(main: URL, settings: Readonly<Record<string, string>>): ChildProcess {
  return fork(main, { env: { ...COMPILED, HAVN_LOG_LEVEL: 'error', ...settings }, silent: true })
}

export function programGuarantees(program: ProgramUnderTest): void {
  const { main, pages, settings, table, wrong, endsWith = 'a signal' } = program
  test(`reports when it is ready, and ends with ${endsWith}`, async () => {
    const child = startProgram(main, settings())
    const [ready] = await once(child, 'message')
    expect(ready).toMatchObject({ ready: true, [pages]: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
    expect((await fetch(`${ready[pages]}/`)).status).toBe(200)
    if (endsWith === 'a signal') {
      child.kill('SIGTERM')
    } else {
      child.disconnect()
    }
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  test.each<readonly [string, string]>([...wrong, ['HAVN_LOG_LEVEL', 'loud']])(
    'names %s when it is invalid',
    (name, value) => {
      expect(() => readProgramSettings(table, { ...settings(), [name]: value })).toThrow(name)
    },
  )
}
