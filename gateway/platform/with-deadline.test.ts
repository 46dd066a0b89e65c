/** Tests that work that does not end is not waited for without a limit. */
import { expect, test } from 'vitest'
import { withDeadline } from './wait-until.ts'

test('the deadline is called for work that does not end, and not for work that has ended', async () => {
  const called: string[] = []
  await withDeadline(Promise.resolve(), { milliseconds: 1, onDeadline: () => called.push('ended') })
  const { promise, resolve } = Promise.withResolvers<void>()
  await withDeadline(promise, {
    milliseconds: 1,
    onDeadline: () => {
      called.push('endless')
      resolve()
    },
  })
  expect(called).toEqual(['endless'])
})
