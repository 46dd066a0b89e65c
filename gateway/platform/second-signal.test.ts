/** Tests that a signal which npm passes on is not taken for a second one. */
import { expect, it } from 'vitest'
import { secondSignal } from './second-signal.ts'

it('is one that comes later than npm passes on the first', () => {
  let now = 7_000
  const isSecond = secondSignal(() => now)
  expect([isSecond(), isSecond()]).toEqual([false, false])
  now += 600
  expect(isSecond()).toBe(true)
})
