/** Tests `havn clock` on the command line, against a gateway whose moves continue after the response. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

const INSTANT = String.raw`\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z`

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ clockAnswerMilliseconds: 0 })
})
afterAll(() => gateway.close())

const environment = () => ({ HAVN_PORT: String(gateway.config.port) })

it('prints both times, and prints the progress of a move until it has ended', async () => {
  const { out } = await runHavnCommand(['clock', 'show'], environment())
  expect(out).toMatch(new RegExp(`^business time ${INSTANT} \\(wall time ${INSTANT}\\)\n$`))

  const before = gateway.context.clock.now()
  const { code, out: progress } = await runHavnCommand(['clock', 'advance', 'P1D'], environment())
  const moved = progress.trimEnd().split('\n')
  expect(code).toBe(0)
  expect(moved[0]).toMatch(new RegExp(`^business time ${INSTANT}, moving to ${INSTANT} \\(wall time`))
  expect(moved.at(-1)).toMatch(new RegExp(`^business time ${INSTANT} \\(wall time`))
  expect(gateway.context.clock.now().since(before).total('hours')).toBeGreaterThanOrEqual(24)
})

it('prints the error of an invalid move', async () => {
  const { code, error } = await runHavnCommand(['clock', 'set', '2020-01-01T00:00:00Z'], environment())
  expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(/^havn: /) })
  const unreachable = await runHavnCommand(['clock', 'show'], { HAVN_PORT: '1' })
  expect(unreachable.error).toMatch(/^havn: .*\. Run npm start first, or set HAVN_PORT to its port\n$/)
})
