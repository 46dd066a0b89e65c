/** Tests at the sandbox FX provider that deals which the database has lost are found, once each, and no others. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { newId } from '../../platform/ids.ts'
import { type ExchangeFixture, startExchangeFixture } from '../../testing/fx/exchange-fixture.ts'
import { resolvePaymentTask } from '../submit/resolve-payment-task.ts'
import { reconcileWithBanks } from './reconcile-with-banks.ts'
import type { Reconciliation } from './reconciliation.ts'

let stage: ExchangeFixture
beforeAll(async () => {
  stage = await startExchangeFixture()
})
afterAll(() => stage.close())

async function reconcile(bic?: string): Promise<Reconciliation> {
  const { context } = stage.gateway
  const now = context.clock.now()
  const window = { from: now.subtract({ hours: 1 }), to: now.add({ hours: 1 }) }
  return await reconcileWithBanks(context, { window, actor: 'operator Kim', ...(bic === undefined ? {} : { bic }) })
}

/** A conversion that is booked at the provider only: as after a restore to a point in time before its deal. */
async function bookAtProvider(requestId: string): Promise<string> {
  const { fx } = stage.gateway.context
  if (fx === null) {
    return expect.fail('There is no provider')
  }
  const quote = await fx.quote({
    ...{ buyCurrency: 'USD', sellCurrency: 'NOK', fixedSide: 'buy', conversionDate: null, holdSeconds: 120 },
    amount: { minor: 10_000n, currency: 'USD' },
  })
  return (await fx.book({ quote, requestId, reason: 'Goods' })).id
}

test('a conversion without a deal becomes an operator task, once; one by hand, a cancelled one and one with a deal do not', async () => {
  await stage.order()
  const dealId = newId()
  const conversionId = await bookAtProvider(dealId)
  await bookAtProvider('by hand')
  await stage.gateway.context.fx?.cancelConversion(await bookAtProvider(newId()))
  const { accounts, orders } = await reconcile()
  expect(accounts.find(({ account }) => account === 'conversions')).toMatchObject({ outcome: 'compared', debits: 4 })
  expect(orders).toMatchObject([
    {
      ...{ kind: 'UnrecordedDeal', subjectId: dealId, isNew: true },
      detail: { conversionId, buy: '100.00 USD', bankStatus: 'awaiting_funds' },
    },
  ])
  expect((await reconcile()).orders).toMatchObject([{ subjectId: dealId, isNew: false }])
  const open = async () => (await getOpenTasks(stage.gateway.context)).filter(({ kind }) => kind === 'UnrecordedDeal')
  const [task] = await open()
  expect(task).toMatchObject({ subjectType: 'order', subjectId: dealId })
  const resolution = { type: 'noted', note: 'Cancelled at the provider' } as const
  await (task &&
    resolvePaymentTask(
      stage.gateway.context,
      task,
      { subject: 'user Kim', name: 'Kim', actor: 'operator Kim' },
      resolution,
    ))
  expect(await open()).toEqual([])
})

test('a provider that cannot be read is reported as such', async () => {
  await stage.fx.fault('down')
  const { accounts } = await reconcile()
  await stage.fx.clearFaults()
  expect(accounts.find(({ account }) => account === 'conversions')).toMatchObject({
    outcome: 'failed',
    text: expect.stringContaining('unavailable'),
  })
})

test('a reconciliation with one bank leaves the provider out', async () => {
  expect((await reconcile(stage.bank.bic)).accounts.map(({ account }) => account)).not.toContain('conversions')
})
