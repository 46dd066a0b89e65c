/** Tests that funds move once after late rejections, unparsable receipts and delayed lists of the provider. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import type { InboundFunds } from '../funding/inbound-funds.ts'
import { listInboundFundsOfDeal, makeNotifiedReturnDue } from '../funding/inbound-funds-store.ts'
import { recordInboundFunds } from '../funding/record-inbound-funds.ts'
import { returnFunds } from '../funding/return-funds.ts'
import type { FxContext } from '../fx-context.ts'
import { fxSweeps } from '../jobs.ts'
import { orderPayout } from '../payouts/order-payout.ts'
import { pollPayout } from '../payouts/poll-payout.ts'
import { recordReturnedPayout } from '../payouts/record-returned-payout.ts'
import type { FxProvider } from '../providers/fx-provider.ts'
import { quotePurgeSweep } from '../quotes/quote-retention-jobs.ts'
import { findQuote } from '../quotes/quote-store.ts'
import { bookingRequest, sampleQuote } from '../testing/deal-samples.ts'
import { type FxFixture, openFxFixture } from '../testing/fx-fixture.ts'
import { SimulatedCrash } from '../testing/scripted-provider.ts'
import { deleteAllDeals, listAllDeals, listAllInboundFunds } from '../testing/stored-deals.ts'
import { bookDeal } from './book-deal.ts'
import { confirmDeal } from './confirm-deal.ts'
import type { Deal } from './deal.ts'
import { findDealById } from './deal-store.ts'
import { makeNotifiedDealDue } from './deal-transition-store.ts'

let world: FxFixture
beforeAll(async () => {
  world = await openFxFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.setTime('2026-03-02T11:00:00Z')
  world.provider.faults = []
  world.provider.arrived.splice(0)
  world.provider.unreadable.clear()
  await deleteAllDeals(world.context.database)
})

const COST = { minor: 9000n, currency: 'NOK' }

async function booked(): Promise<Deal> {
  return (await bookDeal(world.context, await bookingRequest(world.context))).deal
}

async function confirmedDeal(): Promise<Deal> {
  return await confirmDeal(world.context, await booked(), world.clock.now())
}

async function funded(): Promise<Deal> {
  const deal = await confirmedDeal()
  await take(arriveUntold(deal.referenceCode))
  return await reread(deal)
}

function arriveUntold(reference: string): string {
  return world.provider.arrive({ amount: COST, reference, receivedAt: world.clock.now() })
}

async function take(id: string): Promise<boolean> {
  const { provider, context } = world
  return await recordInboundFunds(context, provider.name, await provider.readInboundFunds(id))
}

async function sweep(context: FxContext = world.context): Promise<void> {
  await runSweepsUntilIdle(fxSweeps(context, async (deal) => void world.told.push(deal)))
}

async function reread(deal: Deal): Promise<Deal> {
  const found = await findDealById(world.context.database, deal)
  if (found === undefined) {
    throw new Error('The deal is gone')
  }
  return found
}

async function kindsOfTasks(): Promise<readonly string[]> {
  return (await getOpenTasks(world.context)).map(({ kind }) => kind)
}

/** The provider, with some of what it does changed. */
function withProvider(changes: Partial<FxProvider>): FxContext {
  return { ...world.context, fx: { ...world.provider, ...changes } }
}

describe('money that was sent back', () => {
  it('is not taken again when its quote is forgotten by then', async () => {
    const quote = await sampleQuote(world.context)
    world.pass({ minutes: 6 })
    const id = arriveUntold(quote.referenceCode)
    expect(await take(id)).toBe(true)
    world.pass({ hours: 24 })
    await sweep()
    world.provider.settlePayouts('completed')
    world.pass({ minutes: 5 })
    await sweep()
    await world.context.database.pool.query('delete from fx_quotes where id = $1', [quote.id])
    expect(await take(id)).toBe(false)
    const kept = await listAllInboundFunds(world.context.database)
    expect(kept.map(({ partnerId, state }) => [partnerId, state])).toEqual([[quote.partnerId, 'returned']])
    expect(await kindsOfTasks()).toEqual([])
  })
})

describe('a quote that money names', () => {
  it('is not forgotten, though nobody booked it', async () => {
    const quote = await sampleQuote(world.context)
    world.pass({ minutes: 6 })
    await take(arriveUntold(quote.referenceCode))
    world.pass({ hours: 24 * 60 })
    await runSweepsUntilIdle([quotePurgeSweep(world.context)])
    expect(await findQuote(world.context, quote)).toMatchObject({ id: quote.id })
  })
})

describe('a no to a payout that was asked for before', () => {
  const unanswered = { is: 'refused', kind: 'outcome-unknown', on: 'orderPayout' } as const
  const refused = { is: 'refused', kind: 'invalid', on: 'orderPayout' } as const

  it('is not believed while the first request may be on its way, and that one counts', async () => {
    const deal = await funded()
    world.provider.faults = [unanswered]
    await sweep()
    world.provider.faults = [refused]
    world.pass({ minutes: 1 })
    await sweep()
    expect((await reread(deal)).state).toBe('funded')
    const { quote, conversionId } = deal
    const order = { beneficiaryId: 'known', reference: 'Invoice', reason: 'Invoice', purposeCode: null, payer: null }
    const terms = { ...order, way: 'priority', paymentDate: null } as const
    const first = await world.provider.orderPayout({ ...terms, amount: quote.buy, conversionId, requestId: deal.id })
    world.provider.faults = [refused]
    world.pass({ minutes: 3 })
    await sweep()
    expect(await reread(deal)).toMatchObject({ state: 'paying', payoutId: first.id })
    expect(await kindsOfTasks()).toEqual([])
  })

  it('is believed three minutes after the last request that was not answered', async () => {
    const deal = await funded()
    for (const fault of [unanswered, refused, unanswered, refused]) {
      world.provider.faults = [fault]
      world.pass({ minutes: 2 })
      await sweep()
      expect((await reread(deal)).state).toBe('funded')
    }
    world.provider.faults = [refused]
    world.pass({ minutes: 3 })
    await sweep()
    expect((await reread(deal)).state).toBe('returned')
  })

  it('is not believed after whoever asked first died at it', async () => {
    const deal = await funded()
    world.provider.faults = [{ is: 'death', done: false, on: 'orderPayout' }]
    await expect(orderPayout(world.context, deal)).rejects.toThrow(SimulatedCrash)
    world.provider.faults = [refused]
    await orderPayout(world.context, await reread(deal))
    expect((await reread(deal)).state).toBe('funded')
  })

  it('never hides a payout that was made all the same: it is for people', async () => {
    const deal = await funded()
    const context = withProvider({
      orderPayout: async (order) => {
        const made = await world.provider.orderPayout(order)
        await recordReturnedPayout(world.context, deal, { returned: deal.quote.buy, reason: 'No' })
        return made
      },
    })
    await orderPayout(context, deal)
    const tasks = await getOpenTasks(world.context)
    const payout = world.provider.payouts.get(deal.id)
    expect(tasks.find(({ kind }) => kind === 'PayoutUnexpected')?.detail).toMatchObject({ payout: payout?.id })
  })
})

describe('a payout of a deal that somebody else has moved on', () => {
  it('is not asked for', async () => {
    const deal = await funded()
    await recordReturnedPayout(world.context, deal, { returned: deal.quote.buy, reason: 'No' })
    await orderPayout(world.context, deal)
    expect(world.provider.payouts.get(deal.id)).toBeUndefined()
  })
})

describe('a receipt that cannot be read', () => {
  it('keeps no other money from being found, is for people, and is taken when it can be read', async () => {
    const deal = await confirmedDeal()
    const bad = arriveUntold((await sampleQuote(world.context)).referenceCode)
    arriveUntold(deal.referenceCode)
    world.provider.unreadable.add(bad)
    world.pass({ minutes: 2 })
    await sweep()
    expect((await reread(deal)).state).toBe('paying')
    const [task, ...others] = await getOpenTasks(world.context)
    expect(others).toEqual([])
    expect(task).toMatchObject({ kind: 'UnreadableReceipt', detail: { providerReceiptId: bad, refusal: 'unreadable' } })
    world.provider.unreadable.clear()
    expect(await take(bad)).toBe(true)
    expect(await kindsOfTasks()).toEqual([])
  })
})

describe('word of a provider that comes while it is asked', () => {
  it('has a payout read again at once', async () => {
    const deal = await funded()
    await sweep()
    world.pass({ hours: 5 })
    const now = world.clock.now()
    const context = withProvider({
      readPayout: async (id) => {
        const read = await world.provider.readPayout(id)
        await makeNotifiedDealDue(world.context.database, deal.id, now)
        return read
      },
    })
    await pollPayout(context, await reread(deal))
    const [row] = await listAllDeals(world.context.database)
    expect(row?.waits.due_at?.epochMilliseconds).toBe(now.epochMilliseconds)
  })

  it('has money on its way back read again at once', async () => {
    const deal = await funded()
    await take(arriveUntold(deal.referenceCode))
    world.pass({ hours: 24 })
    await sweep()
    const returning = async (): Promise<InboundFunds> => {
      const found = (await listInboundFundsOfDeal(world.context.database, deal)).find(
        ({ state }) => state === 'returning',
      )
      if (found === undefined) {
        throw new Error('Nothing is sent back')
      }
      return found
    }
    const before = await returning()
    world.pass({ hours: 5 })
    const now = world.clock.now()
    const context = withProvider({
      readPayout: async (id) => {
        const read = await world.provider.readPayout(id)
        await makeNotifiedReturnDue(world.context.database, before.returnId ?? '', now)
        return read
      },
    })
    await returnFunds(context, before)
    const { rows } = await world.context.database.pool.query<{ due_at: Temporal.Instant }>(
      'select due_at from fx_inbound_funds where id = $1',
      [before.id],
    )
    expect(rows[0]?.due_at.epochMilliseconds).toBe(now.epochMilliseconds)
  })
})

describe('looking for funds', () => {
  it('is done once for all deals that wait', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(confirmedDeal))
    await sweep()
    world.pass({ hours: 4 })
    const looks: Temporal.Instant[] = []
    const context = withProvider({
      inboundFunds: (since) => {
        looks.push(since)
        return world.provider.inboundFunds(since)
      },
    })
    await sweep(context)
    expect(looks).toHaveLength(1)
  })

  it('tells nobody of funds as missing that it finds', async () => {
    const deal = await confirmedDeal()
    await sweep()
    const id = arriveUntold(deal.referenceCode)
    world.pass({ hours: 48 })
    await sweep()
    expect(
      (await listAllInboundFunds(world.context.database)).map(({ providerReceiptId }) => providerReceiptId),
    ).toEqual([id])
    expect((await reread(deal)).state).toBe('paying')
    expect(await openAndClosed()).toEqual([])
  })

  it('takes back that they are missing when they come', async () => {
    const deal = await confirmedDeal()
    world.pass({ hours: 48 })
    await sweep()
    expect(await kindsOfTasks()).toEqual(['FundingMissing'])
    await take(arriveUntold(deal.referenceCode))
    expect(await kindsOfTasks()).toEqual([])
  })
})

describe('people who were told that a booking is not known', () => {
  it.each(['booked', 'failed'] as const)('are told no more once it is %s', async (end) => {
    world.provider.faults = [{ is: 'refused', kind: 'outcome-unknown', on: 'book' }]
    const deal = await bookDeal(world.context, await bookingRequest(world.context))
    expect(deal.deal.state).toBe('booking')
    const silent = { is: 'refused', kind: 'unavailable', on: 'findConversion' } as const
    world.provider.faults = [silent, silent, silent, silent, silent]
    for (const _silence of world.provider.faults.slice()) {
      world.pass({ minutes: 30 })
      await sweep()
    }
    expect(await kindsOfTasks()).toEqual(['DealNotBooked'])
    world.pass({ hours: 1 })
    if (end === 'booked') {
      await world.provider.book({ quote: deal.deal.quote, requestId: deal.deal.id, reason: 'Late' })
    }
    await sweep()
    expect((await reread(deal.deal)).state).toBe(end)
    expect(await kindsOfTasks()).toEqual([])
  })
})

/** Every task there ever was. */
async function openAndClosed(): Promise<readonly string[]> {
  const { rows } = await world.context.database.pool.query<{ kind: string }>('select kind from operator_tasks')
  return rows.map(({ kind }) => kind)
}
