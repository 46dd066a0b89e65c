/** Tests `havn clock` on the command line, against a gateway whose moves continue after the response. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'

const LAUNCHER = fileURLToPath(new URL('havn', import.meta.url))
const INSTANT = String.raw`\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z`

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ clockAnswerMilliseconds: 0 })
})
afterAll(() => gateway.close())

async function havn(...words: string[]): Promise<readonly string[]> {
  const env = { PATH: process.env['PATH'], HAVN_PORT: String(gateway.config.port) }
  const { stdout } = await promisify(execFile)(LAUNCHER, words, { env })
  return stdout.trimEnd().split('\n')
}

it('prints both times, and prints the progress of a move until it has ended', async () => {
  const [shown, ...none] = await havn('clock', 'show')
  expect(none).toEqual([])
  expect(shown).toMatch(new RegExp(`^business time ${INSTANT} \\(wall time ${INSTANT}\\)$`))

  const before = gateway.context.clock.now()
  const moved = await havn('clock', 'advance', 'P1D')
  expect(moved[0]).toMatch(new RegExp(`^business time ${INSTANT}, moving to ${INSTANT} \\(wall time`))
  expect(moved.at(-1)).toMatch(new RegExp(`^business time ${INSTANT} \\(wall time`))
  expect(gateway.context.clock.now().since(before).total('hours')).toBeGreaterThanOrEqual(24)
})

it('prints the error of an invalid move', async () => {
  await expect(havn('clock', 'set', '2020-01-01T00:00:00Z')).rejects.toThrow('havn: ')
})
