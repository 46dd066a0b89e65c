/** Tests clock moves that continue after their response: the caller waits, and receives an error when one fails. */
import { expect, test } from 'vitest'
import type { SandboxClock } from '../contract/sandbox/sandbox-clock.ts'
import { createHavnClient } from './client.ts'
import { moveClock } from './move-clock.ts'
import { scriptedGateway } from './scripted-gateway.ts'

const clockAt = (now: SandboxClock['now'], movingTo?: SandboxClock['now']): SandboxClock => ({
  now,
  real: '2026-11-23T09:05:00.000Z',
  offsetSeconds: 0,
  ...(movingTo === undefined ? {} : { movingTo }),
})
const HALFWAY = '2026-11-24T09:05:00.000Z'
const TARGET = '2026-11-25T09:05:00.000Z'
const AFTER = '2026-11-25T09:05:02.000Z'

async function movedWhile(clocks: readonly SandboxClock[]) {
  let answered = 0
  const service = await scriptedGateway(({ method }) => {
    const body = clocks[Math.min(answered, clocks.length - 1)]
    answered += 1
    return { status: method === 'POST' && body?.movingTo !== undefined ? 202 : 200, body }
  })
  const havn = createHavnClient({
    baseUrl: service.url,
    clientId: 'id',
    clientSecret: 'secret',
    environment: 'sandbox',
  })
  const seen: string[] = []
  const moved = moveClock(havn, { advance: 'P2D' }, ({ now }) => void seen.push(now))
  return await moved.then((clock) => ({ clock, seen })).finally(() => service.close())
}

test('a move that has ended returns at once', async () => {
  expect(await movedWhile([clockAt(AFTER)])).toEqual({ clock: clockAt(AFTER), seen: [] })
})

test('a move that continues is polled until the clock has no target', async () => {
  expect(await movedWhile([clockAt(HALFWAY, TARGET), clockAt(HALFWAY, TARGET), clockAt(AFTER)])).toEqual({
    clock: clockAt(AFTER),
    seen: [HALFWAY, HALFWAY],
  })
})

test('a move that failed before its target is an error', async () => {
  await expect(movedWhile([clockAt(HALFWAY, TARGET), clockAt(HALFWAY)])).rejects.toThrow(`ended at ${HALFWAY}`)
})
