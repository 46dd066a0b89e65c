/** Tests the in-flight counter: waiters are notified once nothing is in flight, and not before. */
import { expect, test } from 'vitest'
import { createInFlightCounter } from './concurrency.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('waiting callers are notified when the last operation has ended, and later callers at once', async () => {
  const underWay = createInFlightCounter()
  const reported: string[] = []
  const wait = (name: string) => underWay.none().then(() => void reported.push(name))
  await wait('nothing yet')
  underWay.begin()
  underWay.begin()
  void wait('one')
  void wait('other')
  underWay.end()
  await settled()
  expect([underWay.count(), reported]).toEqual([1, ['nothing yet']])
  underWay.end()
  await settled()
  expect([underWay.count(), reported]).toEqual([0, ['nothing yet', 'one', 'other']])
  underWay.begin()
  void wait('again')
  await settled()
  expect(reported).not.toContain('again')
  underWay.end()
  await settled()
  expect(reported).toContain('again')
})
