/** Tests that funds move once after late rejections, unparsable receipts and delayed lists of the provider. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { NO_PARTNER, RESTORED_DATABASE, writeAuditEntry } from '../../operators/audit-log.ts'
import { closeResolvedTask, getOpenTasks } from '../../operators/resolve-task.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { pollInboundFundsUnlessRecent } from '../funding/poll-inbound-funds.ts'
import { recordInboundFunds } from '../funding/record-inbound-funds.ts'
import { returnFunds, startFundsReturn } from '../funding/return-funds.ts'
import { fxSweeps, quoteRetentionSweep } from '../jobs.ts'
import { cancelDealByOperator, returnFundsByOperator } from '../operator-actions.ts'
import { orderPayout, pollPayout, recordReturnedPayout } from '../payouts/order-payout.ts'
import type { FxProvider } from '../providers/fx-provider.ts'
import type { Deal } from '../store/deal.ts'
import { findDealById } from '../store/deal-store.ts'
import { makeNotifiedDealDue } from '../store/deal-transition-store.ts'
import type { InboundFunds } from '../store/inbound-funds.ts'
import { listInboundFundsOfDeal, makeNotifiedReturnDue } from '../store/inbound-funds-store.ts'
import { findQuoteById } from '../store/quote-store.ts'
import { bookingRequest, sampleQuote } from '../testing/deal-samples.ts'
import { type FxFixture, openFxFixture } from '../testing/fx-fixture.ts'
import { SimulatedCrash } from '../testing/scripted-provider.ts'
import { deleteAllDeals, listAllDeals, listAllInboundFunds } from '../testing/stored-deals.ts'
import { bookDeal } from './book-deal.ts'
import { confirmDeal } from './change-deal.ts'

let fixture: FxFixture
beforeAll(async () => {
  fixture = await openFxFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  fixture.setTime('2026-03-02T11:00:00Z')
  fixture.provider.faults = []
  fixture.provider.arrived.splice(0)
  fixture.provider.unreadable.clear()
  await deleteAllDeals(fixture.context.database)
})

const COST = { minor: 9000n, currency: 'NOK' }

async function booked(): Promise<Deal> {
  return (await bookDeal(fixture.context, await bookingRequest(fixture.context))).deal
}

async function confirmedDeal(): Promise<Deal> {
  return await confirmDeal(fixture.context, await booked(), fixture.clock.now())
}

async function funded(): Promise<Deal> {
  const deal = await confirmedDeal()
  await take(arriveUntold(deal.referenceCode))
  return await reread(deal)
}

function arriveUntold(reference: string): string {
  return fixture.provider.arrive({ amount: COST, reference, receivedAt: fixture.clock.now() })
}

async function take(id: string): Promise<boolean> {
  const { provider, context } = fixture
  return await recordInboundFunds(context, provider.name, await provider.readInboundFunds(id))
}

async function sweep(context: Context = fixture.context): Promise<void> {
  await runSweepsUntilIdle(fxSweeps(context, async (deal) => void fixture.reported.push(deal)))
}

/** After any poll before. */
async function poll(): Promise<void> {
  fixture.pass({ minutes: 2 })
  await pollInboundFundsUnlessRecent(fixture.context, fixture.provider)
}

async function reread(deal: Deal): Promise<Deal> {
  const found = await findDealById(fixture.context.database, deal)
  if (found === undefined) {
    throw new Error('The deal is gone')
  }
  return found
}

async function kindsOfTasks(): Promise<readonly string[]> {
  return (await getOpenTasks(fixture.context)).map(({ kind }) => kind)
}

/** The provider, with some of its calls changed. */
function withProvider(changes: Partial<FxProvider>): Context {
  return { ...fixture.context, fx: { ...fixture.provider, ...changes } }
}

describe('funds that were returned', () => {
  it('are not recorded again when their quote is deleted by then', async () => {
    const quote = await sampleQuote(fixture.context)
    fixture.pass({ minutes: 6 })
    const id = arriveUntold(quote.referenceCode)
    expect(await take(id)).toBe(true)
    fixture.pass({ hours: 24 })
    await sweep()
    fixture.provider.settlePayouts('completed')
    fixture.pass({ minutes: 5 })
    await sweep()
    await fixture.context.database.pool.query('delete from fx_quotes where id = $1', [quote.id])
    expect(await take(id)).toBe(false)
    const stored = await listAllInboundFunds(fixture.context.database)
    expect(stored.map(({ partnerId, state }) => [partnerId, state])).toEqual([[quote.partnerId, 'returned']])
    expect(await kindsOfTasks()).toEqual([])
  })
})

describe('an operator', () => {
  const OPERATOR = { actor: 'operator Kim', note: 'The payer asked' }

  it('learns that funds wait for the booking of their deal, and cancels no deal that was never booked', async () => {
    const { context, provider } = fixture
    provider.faults = [{ is: 'rejected', kind: 'outcome-unknown', on: 'book' }]
    const deal = await booked()
    await take(arriveUntold(deal.referenceCode))
    const [receipt] = await listAllInboundFunds(context.database)
    expect(receipt).toMatchObject({ state: 'held', reason: 'early' })
    await expect(returnFundsByOperator(context, OPERATOR, receipt?.id ?? '')).rejects.toThrow('wait for the booking')
    expect(await cancelDealByOperator(context, OPERATOR, deal.id)).toMatchObject({ state: 'booking' })
    fixture.pass({ minutes: 10 })
    await sweep()
    expect(await reread(deal)).toMatchObject({ state: 'failed', cancelReason: 'operator' })
    await expect(cancelDealByOperator(context, OPERATOR, deal.id)).rejects.toThrow('The deal is failed')
  })
})

describe('funds of a quote from before a restore', () => {
  it('are left to operators, because the deal may be lost and the receiver paid', async () => {
    const { context } = fixture
    const quote = await sampleQuote(context)
    const restored = { partnerId: NO_PARTNER, actor: 'operator Kim', action: 'restored database prepared' as const }
    await writeAuditEntry(context, { ...restored, subject: RESTORED_DATABASE })
    await take(arriveUntold(quote.referenceCode))
    fixture.pass({ hours: 48 })
    await sweep()
    const [receipt] = await listAllInboundFunds(context.database)
    expect(receipt).toMatchObject({ partnerId: quote.partnerId, state: 'held', reason: 'unknown' })
    expect(await listAllDeals(context.database)).toEqual([])
    expect(await kindsOfTasks()).toEqual(['UnknownReceipt'])
    await returnFundsByOperator(context, { actor: 'operator Kim', note: 'Never booked' }, receipt?.id ?? '')
    await sweep()
    fixture.provider.settlePayouts('completed')
    fixture.pass({ minutes: 5 })
    await sweep()
    expect(await kindsOfTasks()).toEqual([])
  })
})

describe('a return of funds', () => {
  const returning = async (): Promise<InboundFunds> => {
    const quote = await sampleQuote(fixture.context)
    fixture.pass({ minutes: 6 })
    await take(arriveUntold(quote.referenceCode))
    fixture.pass({ hours: 24 })
    await sweep()
    return await storedFunds()
  }
  const storedFunds = async (): Promise<InboundFunds> => {
    const [receipt] = await listAllInboundFunds(fixture.context.database)
    if (receipt === undefined) {
      throw new Error('No funds are stored')
    }
    return receipt
  }

  it('is not repeated by a database that was restored to before it', async () => {
    const { providerReceiptId } = await returning()
    await fixture.context.database.pool.query('truncate fx_inbound_funds, fx_ledger_lines')
    await take(providerReceiptId)
    fixture.pass({ hours: 24 })
    await sweep()
    expect((await storedFunds()).state).toBe('returning')
    const payouts = [...fixture.provider.payouts.values()]
    expect(payouts.filter(({ receiptId }) => receiptId === providerReceiptId)).toHaveLength(1)
  })

  it('that comes back after it was completed raises an operator task, once', async () => {
    const { returnId } = await returning()
    const { payouts } = fixture.provider
    const comes = async (state: 'completed' | 'failed') => {
      const payout = payouts.get(returnId ?? '')
      if (payout !== undefined) {
        payouts.set(payout.requestId, { ...payout, state, providerStatus: state })
      }
      fixture.pass({ hours: 25 })
      await sweep()
      return [(await storedFunds()).state, await kindsOfTasks()]
    }
    expect(await comes('completed')).toEqual(['returned', []])
    expect(await comes('completed')).toEqual(['returned', []])
    expect(await comes('failed')).toEqual(['returned', ['ReceiptNotReturned']])
    expect((await storedFunds()).dueAt).toBeNull()
  })

  it('is not ended by a late answer about the one before it', async () => {
    const before = await returning()
    fixture.provider.settlePayouts('failed')
    const context = withProvider({
      readPayout: async (id) => {
        await returnFunds(fixture.context, before)
        await startFundsReturn(fixture.context, await storedFunds(), undefined)
        return await fixture.provider.readPayout(id)
      },
    })
    await returnFunds(context, before)
    expect(await storedFunds()).toMatchObject({ state: 'returning', payoutId: null })
    expect((await storedFunds()).returnId).not.toBe(before.returnId)
  })
})

describe('a quote that a receipt references', () => {
  it('is not deleted, although it was not booked', async () => {
    const quote = await sampleQuote(fixture.context)
    fixture.pass({ minutes: 6 })
    await take(arriveUntold(quote.referenceCode))
    fixture.pass({ hours: 24 * 60 })
    await runSweepsUntilIdle([quoteRetentionSweep(fixture.context)])
    expect(await findQuoteById(fixture.context, quote)).toMatchObject({ id: quote.id })
  })
})

describe('a rejection of a payout that was requested before', () => {
  const unanswered = { is: 'rejected', kind: 'outcome-unknown', on: 'orderPayout' } as const
  const rejected = { is: 'rejected', kind: 'invalid', on: 'orderPayout' } as const

  it('is not trusted while the first request may be in flight, and the first response counts', async () => {
    const deal = await funded()
    fixture.provider.faults = [unanswered]
    await sweep()
    fixture.provider.faults = [rejected]
    fixture.pass({ minutes: 1 })
    await sweep()
    expect((await reread(deal)).state).toBe('funded')
    const { quote, conversionId } = deal
    const order = { beneficiaryId: 'known', reference: 'Invoice', reason: 'Invoice', purposeCode: null, payer: null }
    const terms = { ...order, method: 'priority', paymentDate: null } as const
    const first = await fixture.provider.orderPayout({ ...terms, amount: quote.buy, conversionId, requestId: deal.id })
    fixture.provider.faults = [rejected]
    fixture.pass({ minutes: 3 })
    await sweep()
    expect(await reread(deal)).toMatchObject({ state: 'paying', payoutId: first.id })
    expect(await kindsOfTasks()).toEqual([])
  })

  it('is trusted three minutes after the last request without a response', async () => {
    const deal = await funded()
    for (const fault of [unanswered, rejected, unanswered, rejected]) {
      fixture.provider.faults = [fault]
      fixture.pass({ minutes: 2 })
      await sweep()
      expect((await reread(deal)).state).toBe('funded')
    }
    fixture.provider.faults = [rejected]
    fixture.pass({ minutes: 3 })
    await sweep()
    expect((await reread(deal)).state).toBe('returned')
  })

  it('is not trusted after the process that requested first crashed', async () => {
    const deal = await funded()
    fixture.provider.faults = [{ is: 'death', done: false, on: 'orderPayout' }]
    await expect(orderPayout(fixture.context, deal)).rejects.toThrow(SimulatedCrash)
    fixture.provider.faults = [rejected]
    await orderPayout(fixture.context, await reread(deal))
    expect((await reread(deal)).state).toBe('funded')
  })

  it('never hides a payout that was made all the same: an operator task is raised', async () => {
    const deal = await funded()
    const context = withProvider({
      orderPayout: async (order) => {
        const made = await fixture.provider.orderPayout(order)
        await recordReturnedPayout(fixture.context, deal, { returned: deal.quote.buy, reason: 'No' })
        return made
      },
    })
    await orderPayout(context, deal)
    const tasks = await getOpenTasks(fixture.context)
    const payout = fixture.provider.payouts.get(deal.id)
    expect(tasks.find(({ kind }) => kind === 'PayoutUnexpected')?.detail).toMatchObject({ payout: payout?.id })
  })
})

describe('a payout of a deal that another process has moved on', () => {
  it('is not requested', async () => {
    const deal = await funded()
    await recordReturnedPayout(fixture.context, deal, { returned: deal.quote.buy, reason: 'No' })
    await orderPayout(fixture.context, deal)
    expect(fixture.provider.payouts.get(deal.id)).toBeUndefined()
  })
})

describe('an unreadable receipt', () => {
  it('does not hide other receipts, raises an operator task, and is recorded when it can be read', async () => {
    const deal = await confirmedDeal()
    const bad = arriveUntold((await sampleQuote(fixture.context)).referenceCode)
    arriveUntold(deal.referenceCode)
    fixture.provider.unreadable.add(bad)
    fixture.pass({ minutes: 2 })
    await sweep()
    expect((await reread(deal)).state).toBe('paying')
    const [task, ...others] = await getOpenTasks(fixture.context)
    expect(others).toEqual([])
    expect(task).toMatchObject({
      kind: 'UnreadableReceipt',
      detail: { providerReceiptId: bad, errorKind: 'unreadable' },
    })
    // Later funds have moved the start of the polls past it by then.
    fixture.pass({ hours: 1 })
    arriveUntold((await confirmedDeal()).referenceCode)
    await poll()
    await poll()
    expect(await kindsOfTasks()).toEqual(['UnreadableReceipt'])
    fixture.provider.unreadable.clear()
    await poll()
    expect(await kindsOfTasks()).toEqual([])
    expect(await take(bad)).toBe(false)
  })

  it('that an operator has settled by hand is no task again', async () => {
    fixture.provider.unreadable.add(arriveUntold('unknown'))
    await poll()
    const [task = expect.fail('There is no task')] = await getOpenTasks(fixture.context)
    const resolution = { type: 'noted', note: 'Returned by the provider' } as const
    await closeResolvedTask(fixture.context, task, { name: 'Kim', subject: null, actor: 'operator Kim' }, resolution)
    await poll()
    expect(await kindsOfTasks()).toEqual([])
  })
})

describe('a provider notification that arrives during a poll', () => {
  it('has a payout read again at once', async () => {
    const deal = await funded()
    await sweep()
    fixture.pass({ hours: 5 })
    const now = fixture.clock.now()
    const context = withProvider({
      readPayout: async (id) => {
        const read = await fixture.provider.readPayout(id)
        await makeNotifiedDealDue(fixture.context.database, deal.id, now)
        return read
      },
    })
    await pollPayout(context, await reread(deal))
    const [row] = await listAllDeals(fixture.context.database)
    expect(row?.waits.due_at?.epochMilliseconds).toBe(now.epochMilliseconds)
  })

  it('has a return of funds read again at once', async () => {
    const deal = await funded()
    await take(arriveUntold(deal.referenceCode))
    fixture.pass({ hours: 24 })
    await sweep()
    const returning = async (): Promise<InboundFunds> => {
      const found = (await listInboundFundsOfDeal(fixture.context.database, deal)).find(
        ({ state }) => state === 'returning',
      )
      if (found === undefined) {
        throw new Error('Nothing is sent back')
      }
      return found
    }
    const before = await returning()
    fixture.pass({ hours: 5 })
    const now = fixture.clock.now()
    const context = withProvider({
      readPayout: async (id) => {
        const read = await fixture.provider.readPayout(id)
        await makeNotifiedReturnDue(fixture.context.database, before.returnId ?? '', now)
        return read
      },
    })
    await returnFunds(context, before)
    const { rows } = await fixture.context.database.pool.query<{ due_at: Temporal.Instant }>(
      'select due_at from fx_inbound_funds where id = $1',
      [before.id],
    )
    expect(rows[0]?.due_at.epochMilliseconds).toBe(now.epochMilliseconds)
  })
})

describe('polling for funds', () => {
  it('is done once for all waiting deals', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(confirmedDeal))
    await sweep()
    fixture.pass({ hours: 4 })
    const looks: Temporal.Instant[] = []
    const context = withProvider({
      inboundFunds: (since) => {
        looks.push(since)
        return fixture.provider.inboundFunds(since)
      },
    })
    await sweep(context)
    expect(looks).toHaveLength(1)
  })

  it('raises no task for missing funds that it finds', async () => {
    const deal = await confirmedDeal()
    await sweep()
    const id = arriveUntold(deal.referenceCode)
    fixture.pass({ hours: 48 })
    await sweep()
    expect(
      (await listAllInboundFunds(fixture.context.database)).map(({ providerReceiptId }) => providerReceiptId),
    ).toEqual([id])
    expect((await reread(deal)).state).toBe('paying')
    expect(await openAndClosed()).toEqual([])
  })

  it('resolves the task for missing funds when they arrive', async () => {
    const deal = await confirmedDeal()
    fixture.pass({ hours: 48 })
    await sweep()
    expect(await kindsOfTasks()).toEqual(['FundingMissing'])
    await take(arriveUntold(deal.referenceCode))
    expect(await kindsOfTasks()).toEqual([])
  })
})

describe('an operator task for an unknown booking', () => {
  it.each(['booked', 'failed'] as const)('is resolved once the booking is %s', async (end) => {
    fixture.provider.faults = [{ is: 'rejected', kind: 'outcome-unknown', on: 'book' }]
    const deal = await bookDeal(fixture.context, await bookingRequest(fixture.context))
    expect(deal.deal.state).toBe('booking')
    const silent = { is: 'rejected', kind: 'unavailable', on: 'findConversion' } as const
    fixture.provider.faults = [silent, silent, silent, silent, silent]
    for (const _silence of fixture.provider.faults.slice()) {
      fixture.pass({ minutes: 30 })
      await sweep()
    }
    expect(await kindsOfTasks()).toEqual(['DealNotBooked'])
    fixture.pass({ hours: 1 })
    if (end === 'booked') {
      await fixture.provider.book({ quote: deal.deal.quote, requestId: deal.deal.id, reason: 'Late' })
    }
    await sweep()
    expect((await reread(deal.deal)).state).toBe(end)
    expect(await kindsOfTasks()).toEqual([])
  })
})

/** Every task, open or resolved. */
async function openAndClosed(): Promise<readonly string[]> {
  const { rows } = await fixture.context.database.pool.query<{ kind: string }>('select kind from operator_tasks')
  return rows.map(({ kind }) => kind)
}
