/** Tests the backoff of provider calls, and when an operator task is raised. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { bookDeal } from '../deals/book-deal.ts'
import { cancelDeal } from '../deals/change-deal.ts'
import { fxSweeps } from '../jobs.ts'
import { bookingRequest } from '../testing/deal-samples.ts'
import { type FxFixture, openFxFixture } from '../testing/fx-fixture.ts'
import { FxProviderError } from './fx-provider-error.ts'
import { type ScheduledRetry, scheduleRetry } from './provider-retry.ts'

const NOON = Temporal.Instant.from('2026-03-02T11:00:00Z')
const TOO_MANY = new FxProviderError('rate-limited', 'Too many', { retryAfterSeconds: 7 })

describe('a provider that rate-limits us', () => {
  const retryAt = (minutes: number, before: Pick<ScheduledRetry, 'attempts' | 'failingSince'>) =>
    scheduleRetry(NOON.add({ minutes }), before, TOO_MANY)

  test('is called again at the time that it says, and no attempt is counted', () => {
    const retry = retryAt(0, { attempts: 2, failingSince: null })
    expect(retry).toEqual({ attempts: 2, failingSince: NOON, at: NOON.add({ seconds: 7 }), isStuck: false })
  })

  test.each([
    [19, false],
    [20, true],
    [90, true],
  ])('raises an operator task when it has done so for %i minutes: %s', (minutes, isStuck) => {
    const retry = retryAt(minutes, { attempts: 0, failingSince: NOON })
    expect([retry.isStuck, retry.failingSince]).toEqual([isStuck, NOON])
  })
})

describe('a deal whose cancellation is rate-limited', () => {
  let fixture: FxFixture
  beforeAll(async () => {
    fixture = await openFxFixture()
  })
  afterAll(() => fixture.close())

  test('is shown to operators, and no longer once it is cancelled', async () => {
    const { context, provider } = fixture
    const { deal } = await bookDeal(context, await bookingRequest(context))
    await cancelDeal(context, deal, 'unsigned')
    const sweep = () => runSweepsUntilIdle(fxSweeps(context, async () => undefined))
    const tasks = async () =>
      (await getOpenTasks(context)).filter(({ subjectId }) => subjectId === deal.id).map(({ kind }) => kind)
    const reported: string[][] = []
    for (const minutes of [0, 15, 10, 10]) {
      fixture.pass({ minutes })
      provider.faults = reported.length === 3 ? [] : [{ is: 'rejected', kind: 'rate-limited', on: 'cancelConversion' }]
      await sweep()
      reported.push(await tasks())
    }
    expect(reported).toEqual([[], [], ['DealNotUnwound'], []])
  })
})
