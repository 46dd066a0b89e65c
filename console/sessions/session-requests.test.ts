/** Guarantees that the requests of one session do not run side by side, and delay no other session. */
import { expect, test } from 'vitest'
import { openSessionRequests } from './session-requests.ts'

test('requests of a session run one after the other, those of another at once, and too many are rejected', async () => {
  const runInSession = openSessionRequests()
  const order: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = runInSession('a', async () => {
    await promise
    order.push('first')
  })
  const failing = runInSession('a', async () => {
    order.push('failing')
    throw new Error('failed')
  }).catch(() => undefined)
  const waiting = Array.from({ length: 11 }, (_, n) => runInSession('a', async () => order.push(`waiting ${n}`)))
  await expect(runInSession('a', async () => 0)).rejects.toMatchObject({ reasonCode: 'too-many-requests' })
  expect(await runInSession('b', async () => order.push('other'))).toBe(1)
  resolve()
  await Promise.all([first, failing, ...waiting])
  expect(order).toEqual(['other', 'first', 'failing', ...waiting.map((_, n) => `waiting ${n}`)])
  expect(await runInSession('a', async () => 'again')).toBe('again')
})
