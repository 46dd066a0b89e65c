/** Tests when the poll for inbound funds is due. */
import { expect, test } from 'vitest'
import { createDueSweepsReader } from '../../platform/jobs/due-time-watcher.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { fxSweeps } from '../jobs.ts'
import { openFxFixture } from '../testing/fx-fixture.ts'
import { INBOUND_FUNDS_POLL } from './poll-inbound-funds.ts'

test('a provider that was never polled is polled at once, and then at an interval', async () => {
  const { context, close } = await openFxFixture()
  const readDueSweeps = createDueSweepsReader(
    context,
    fxSweeps(context, async () => undefined),
  )
  const dueNames = async () => (await readDueSweeps()).map(({ name }) => name)
  expect(await dueNames()).toEqual([INBOUND_FUNDS_POLL])
  expect(await runSweepsUntilIdle(readDueSweeps)).toBe(1)
  expect(await dueNames()).toEqual([])
  await close()
})
