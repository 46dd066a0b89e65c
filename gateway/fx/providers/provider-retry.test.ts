/** Shows when a provider that did not do what was asked is asked again, and when people are told of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTasks } from '../../operators/resolve-task.ts'
import { sweepUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { bookDeal } from '../book-deal.ts'
import { breakDeal } from '../break-deal.ts'
import { fxSweeps } from '../jobs.ts'
import { type Retry, retryAfter } from '../provider-of.ts'
import { dealAsked } from '../testing/deal-samples.ts'
import { type FxWorld, openFxWorld } from '../testing/fx-fixture.ts'
import { FxRefusal } from './fx-provider-error.ts'

const NOON = Temporal.Instant.from('2026-03-02T11:00:00Z')
const TOO_MANY = new FxRefusal('rate-limited', 'Too many', { retryAfterSeconds: 7 })

describe('a provider that says we ask too often', () => {
  const retryAt = (minutes: number, before: Pick<Retry, 'attempts' | 'failingSince'>) =>
    retryAfter(NOON.add({ minutes }), before, TOO_MANY)

  test('is asked again at the time that it says, and no attempt is counted', () => {
    const retry = retryAt(0, { attempts: 2, failingSince: null })
    expect(retry).toEqual({ attempts: 2, failingSince: NOON, at: NOON.add({ seconds: 7 }), isStuck: false })
  })

  test.each([
    [19, false],
    [20, true],
    [90, true],
  ])('is for people when it has said so for %i minutes: %s', (minutes, isStuck) => {
    const retry = retryAt(minutes, { attempts: 0, failingSince: NOON })
    expect([retry.isStuck, retry.failingSince]).toEqual([isStuck, NOON])
  })
})

describe('a deal that cannot be undone because we ask too often', () => {
  let world: FxWorld
  beforeAll(async () => {
    world = await openFxWorld()
  })
  afterAll(() => world.close())

  test('is shown to people, and to nobody any more once it is undone', async () => {
    const { context, provider } = world
    const { deal } = await bookDeal(context, await dealAsked(context))
    await breakDeal(context, deal, 'unsigned')
    const sweep = () => sweepUntilIdle(fxSweeps(context, async () => undefined))
    const tasks = async () =>
      (await openTasks(context)).filter(({ subjectId }) => subjectId === deal.id).map(({ kind }) => kind)
    const told: string[][] = []
    for (const minutes of [0, 15, 10, 10]) {
      world.pass({ minutes })
      provider.faults = told.length === 3 ? [] : [{ is: 'refused', kind: 'rate-limited', on: 'cancelConversion' }]
      await sweep()
      told.push(await tasks())
    }
    expect(told).toEqual([[], [], ['DealNotUnwound'], []])
  })
})
