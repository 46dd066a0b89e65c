/** Tests every path of a deal from the booked quote to a final state, with a balanced ledger at the end of each. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { recordInboundFunds } from '../funding/record-inbound-funds.ts'
import { fxSweeps } from '../jobs.ts'
import { checkLedger } from '../ledger/ledger.ts'
import { recordAsOwnFunds } from '../operator-actions.ts'
import type { Deal } from '../store/deal.ts'
import { findDealById, findDealByQuote } from '../store/deal-store.ts'
import { listInboundFundsOfDeal } from '../store/inbound-funds-store.ts'
import { bookingRequest, sampleQuote } from '../testing/deal-samples.ts'
import { type FxFixture, openFxFixture } from '../testing/fx-fixture.ts'
import { listAllInboundFunds } from '../testing/stored-deals.ts'
import { type BookingRequest, bookDeal, QuoteAlreadyBooked, recordBooked } from './book-deal.ts'
import { cancelDeal, confirmDeal } from './change-deal.ts'
import { getDealTimeline, updateDealMetrics } from './get-deal.ts'

let fixture: FxFixture
beforeAll(async () => {
  fixture = await openFxFixture()
})
afterAll(async () => {
  expect(await checkLedger(fixture.context.database)).toEqual([])
  await fixture.close()
})
beforeEach(() => {
  fixture.setTime('2026-03-02T11:00:00Z')
  fixture.provider.faults = []
  fixture.provider.quotesExpired = false
})

const COST = { minor: 9000n, currency: 'NOK' }

async function requested(): Promise<BookingRequest> {
  return await bookingRequest(fixture.context)
}

async function booked(): Promise<Deal> {
  return (await bookDeal(fixture.context, await requested())).deal
}

async function confirmedDeal(): Promise<Deal> {
  return await confirmDeal(fixture.context, await booked(), fixture.clock.now())
}

async function sweep(): Promise<void> {
  const tell = async (deal: Deal) => void fixture.reported.push(deal)
  await runSweepsUntilIdle(fxSweeps(fixture.context, tell))
}

async function reread(deal: Deal): Promise<Deal> {
  const found = await findDealById(fixture.context.database, deal)
  if (found === undefined) {
    throw new Error('The deal is gone')
  }
  return found
}

/** Funds as the provider reports them; processed as if it had notified us. */
async function arrive(reference: string, minor = COST.minor, currency = COST.currency): Promise<string> {
  const { provider, context, clock } = fixture
  const id = provider.arrive({ amount: { minor, currency }, reference, receivedAt: clock.now() })
  await recordInboundFunds(context, provider.name, await provider.readInboundFunds(id))
  return id
}

async function events(deal: Deal): Promise<readonly string[]> {
  return (await getDealTimeline(fixture.context.database, deal)).map(({ event }) => event)
}

async function kindsOf(subjectId: string): Promise<readonly string[]> {
  return (await getOpenTasks(fixture.context)).filter((task) => task.subjectId === subjectId).map(({ kind }) => kind)
}

async function receiptsOf(deal: Deal) {
  return (await listInboundFundsOfDeal(fixture.context.database, deal)).map(({ state, reason }) => [state, reason])
}

describe('a successful deal', () => {
  it('is booked, confirmed, funded by its receipt, and paid out once', async () => {
    const deal = await confirmedDeal()
    await arrive(`Ref ${deal.referenceCode.toLowerCase()}`)
    await sweep()
    expect((await reread(deal)).state).toBe('paying')
    fixture.provider.settlePayouts('completed')
    fixture.pass({ minutes: 5 })
    await sweep()
    expect(await reread(deal)).toMatchObject({ state: 'paid', paymentId: deal.paymentId })
    expect(await events(deal)).toEqual(['booked', 'confirmed', 'funded', 'paying', 'paid'])
    expect(fixture.provider.payouts.get(deal.id)).toMatchObject({
      amount: deal.quote.buy,
      conversionId: deal.conversionId,
    })
    expect(fixture.reported.filter(({ id }) => id === deal.id).at(-1)?.state).toBe('paid')
  })

  it('is detected as funded by polling when no notification arrives', async () => {
    const deal = await confirmedDeal()
    const { provider, clock } = fixture
    provider.arrive({ amount: COST, reference: deal.referenceCode, receivedAt: clock.now() })
    fixture.pass({ hours: 2 })
    await sweep()
    expect(await events(deal)).toContain('funded')
  })

  it('counts as signed when the funds arrive before the signature is reported', async () => {
    const deal = await booked()
    await arrive(deal.referenceCode)
    expect(await reread(deal)).toMatchObject({ state: 'funded', signedAt: fixture.clock.now() })
    expect((await confirmDeal(fixture.context, await reread(deal), fixture.clock.now())).state).toBe('funded')
    expect((await cancelDeal(fixture.context, await reread(deal), 'unsigned')).state).toBe('funded')
  })
})

describe('booking', () => {
  it('happens once for the same payment, and for no other payment with the same quote', async () => {
    const conversionsBefore = fixture.provider.conversions.size
    const order = await requested()
    const [first, again] = [await bookDeal(fixture.context, order), await bookDeal(fixture.context, order)]
    expect(again.deal.id).toBe(first.deal.id)
    expect(fixture.provider.conversions.size).toBe(conversionsBefore + 1)
    await expect(bookDeal(fixture.context, { ...order, paymentId: crypto.randomUUID() })).rejects.toThrow(
      QuoteAlreadyBooked,
    )
  })

  it('fails permanently when the provider rejects it', async () => {
    fixture.provider.faults = [{ is: 'rejected', kind: 'quote-expired' }]
    const { deal, rejection } = await bookDeal(fixture.context, await requested())
    expect([deal.state, rejection?.kind]).toEqual(['failed', 'quote-expired'])
    expect(await events(deal)).toEqual(['failed'])
  })

  it('finds the conversion when the response is lost', async () => {
    fixture.provider.faults = [{ is: 'answer lost' }]
    expect((await bookDeal(fixture.context, await requested())).deal.state).toBe('booked')
  })

  it('is resolved later when the provider does not respond for long, and operators are notified', async () => {
    fixture.provider.faults = [{ is: 'answer lost' }, { is: 'rejected', kind: 'unavailable' }]
    const { deal, rejection } = await bookDeal(fixture.context, await requested())
    expect([deal.state, rejection?.kind]).toEqual(['booking', 'outcome-unknown'])
    fixture.provider.faults = Array.from({ length: 5 }, () => ({ is: 'rejected', kind: 'unavailable' }))
    for (let minutes = 0; minutes < 20; minutes += 1) {
      fixture.pass({ minutes: 1 })
      await sweep()
    }
    expect((await reread(deal)).state).toBe('booked')
    expect(await kindsOf(deal.id)).toEqual([])
  })

  it('that is no longer needed is cancelled as soon as its outcome is known', async () => {
    fixture.provider.faults = [{ is: 'answer lost' }, { is: 'rejected', kind: 'unavailable' }]
    const { deal } = await bookDeal(fixture.context, await requested())
    expect(await cancelDeal(fixture.context, deal, 'given-up')).toMatchObject({
      state: 'booking',
      cancelReason: 'given-up',
    })
    fixture.pass({ minutes: 2 })
    await sweep()
    expect(await events(deal)).toEqual(['booked', 'cancelling', 'cancelled'])
  })

  it('that never happened and is no longer needed fails, once no request can be in flight', async () => {
    fixture.provider.faults = [{ is: 'rejected', kind: 'outcome-unknown' }]
    const { deal } = await bookDeal(fixture.context, await requested())
    fixture.provider.quotesExpired = true
    fixture.pass({ minutes: 1 })
    await sweep()
    expect((await reread(deal)).state).toBe('booking')
    fixture.pass({ minutes: 3 })
    await sweep()
    expect((await reread(deal)).state).toBe('failed')
  })
})

describe('a booking request that was in flight for very long', () => {
  it('is cancelled when it turns out to have been accepted, although the deal had failed', async () => {
    const { provider } = fixture
    provider.faults = [{ is: 'rejected', kind: 'outcome-unknown', on: 'book' }]
    const order = await requested()
    const { deal } = await bookDeal(fixture.context, order)
    fixture.pass({ minutes: 10 })
    await sweep()
    expect((await reread(deal)).state).toBe('failed')
    const { id: conversionId } = await provider.book({ quote: order.quote.held, requestId: deal.id, reason: 'Late' })
    const late = await provider.findConversion(deal.id)
    await (late && recordBooked(fixture.context, await reread(deal), late))
    await sweep()
    expect(await reread(deal)).toMatchObject({ state: 'cancelled', conversionId })
    expect(provider.cancelled).toContain(conversionId)
  })
})

describe('funds from outside', () => {
  it('book the quote that they reference, fund it, and are paid out', async () => {
    const quote = await sampleQuote(fixture.context)
    await arrive(quote.referenceCode)
    await sweep()
    const deal = await findDealByQuote(fixture.context.database, { partnerId: quote.partnerId, quoteId: quote.id })
    expect(deal).toMatchObject({ state: 'paying', paymentId: null })
  })

  it.each([
    ['arrives after the quote has expired', { minutes: 6 }, COST.minor],
    ['is not the agreed amount', { minutes: 1 }, COST.minor - 1n],
  ])('book nothing when the receipt %s, and are returned', async (_why, wait, minor) => {
    const quote = await sampleQuote(fixture.context)
    fixture.pass(wait)
    const id = await arrive(quote.referenceCode, minor)
    const found = await findDealByQuote(fixture.context.database, { partnerId: quote.partnerId, quoteId: quote.id })
    expect(found).toBeUndefined()
    fixture.pass({ hours: 24 })
    await sweep()
    expect([...fixture.provider.payouts.values()].filter(({ receiptId }) => receiptId === id)).toHaveLength(1)
  })

  it('wait for a booking with an unknown outcome, and then fund it', async () => {
    const quote = await sampleQuote(fixture.context)
    fixture.provider.faults = [
      { is: 'answer lost', on: 'book' },
      { is: 'rejected', kind: 'unavailable', on: 'findConversion' },
    ]
    await arrive(quote.referenceCode)
    const key = { partnerId: quote.partnerId, quoteId: quote.id }
    expect((await findDealByQuote(fixture.context.database, key))?.state).toBe('booking')
    fixture.pass({ minutes: 2 })
    await sweep()
    expect((await findDealByQuote(fixture.context.database, key))?.state).toBe('paying')
  })
})

describe('cancelling', () => {
  it('cancels at the provider exactly once, and records the cost', async () => {
    const deal = await booked()
    const cancelled = await Promise.all([1, 2, 3].map(() => cancelDeal(fixture.context, deal, 'unsigned')))
    expect(cancelled.map(({ state }) => state)).toEqual(['cancelling', 'cancelling', 'cancelling'])
    await sweep()
    expect(await events(deal)).toEqual(['booked', 'cancelling', 'cancelled'])
    expect(fixture.provider.cancelled.filter((id) => id === deal.conversionId)).toHaveLength(1)
    expect((await getDealTimeline(fixture.context.database, deal)).at(-1)?.detail).toMatchObject({
      loss: { amount: '0.07', currency: 'NOK' },
    })
  })

  it('never cancels a confirmed deal for lack of a signature', async () => {
    const deal = await booked()
    const [, cancelled] = await Promise.all([
      confirmDeal(fixture.context, deal, fixture.clock.now()),
      cancelDeal(fixture.context, deal, 'unsigned'),
    ])
    const end = await reread(deal)
    expect(['confirmed', 'cancelling']).toContain(end.state)
    expect(cancelled.state).toBe(end.state)
    await sweep()
  })

  it('continues when the response is lost, notifies operators when it takes long, and clears the notification later', async () => {
    const deal = await cancelDeal(fixture.context, await booked(), 'unsigned')
    const silent = { is: 'rejected', kind: 'unavailable', on: 'cancelConversion' } as const
    fixture.provider.faults = Array.from({ length: 6 }, () => silent)
    for (let hours = 0; hours < 5; hours += 1) {
      await sweep()
      fixture.pass({ minutes: 5 })
    }
    expect(await kindsOf(deal.id)).toEqual(['DealNotUnwound'])
    fixture.provider.faults = [{ is: 'answer lost', on: 'cancelConversion' }]
    for (let hours = 0; hours < 5; hours += 1) {
      fixture.pass({ hours: 1 })
      await sweep()
    }
    expect((await reread(deal)).state).toBe('cancelled')
    expect(await kindsOf(deal.id)).toEqual([])
    expect(fixture.provider.cancelled.filter((id) => id === deal.conversionId)).toHaveLength(1)
  })
})

describe('funds that do not match', () => {
  it('arrive twice: the second receipt is held for a bank day and returned', async () => {
    const deal = await confirmedDeal()
    await arrive(deal.referenceCode)
    await arrive(deal.referenceCode)
    expect(await receiptsOf(deal)).toEqual([
      ['used', null],
      ['held', 'twice'],
    ])
    fixture.setTime('2026-03-03T10:59:00Z')
    await sweep()
    expect((await receiptsOf(deal))[1]).toEqual(['held', 'twice'])
    fixture.setTime('2026-03-03T11:01:00Z')
    await sweep()
    expect((await receiptsOf(deal))[1]).toEqual(['returning', 'twice'])
    fixture.provider.settlePayouts('completed')
    fixture.pass({ minutes: 5 })
    await sweep()
    expect((await receiptsOf(deal))[1]).toEqual(['returned', 'twice'])
    expect(await events(deal)).toEqual(
      expect.arrayContaining(['money-held', 'money-sent-back', 'money-back-at-sender', 'paid']),
    )
  })

  it('arrive late: they are returned, and the deal stays cancelled', async () => {
    const deal = await cancelDeal(fixture.context, await booked(), 'unsigned')
    await sweep()
    await arrive(deal.referenceCode)
    fixture.pass({ hours: 24 })
    await sweep()
    fixture.provider.settlePayouts('completed')
    fixture.pass({ minutes: 5 })
    await sweep()
    expect(await receiptsOf(deal)).toEqual([['returned', 'late']])
    expect((await reread(deal)).state).toBe('cancelled')
  })

  it.each([
    // Friday to Monday, 17 May, when only banks in Norway are closed.
    ['SE', '2027-05-17'],
    ['NO', '2027-05-18'],
  ])('arrive for an expired quote: they are held for a bank day of %s', async (fundingCountry, until) => {
    fixture.setTime('2027-05-14T10:00:00Z')
    const { id: quoteId, referenceCode } = await sampleQuote(fixture.context, { fundingCountry })
    fixture.setTime('2027-05-14T11:00:00Z')
    await arrive(referenceCode)
    await sweep()
    const [receipt] = (await listAllInboundFunds(fixture.context.database)).filter((row) => row.quoteId === quoteId)
    expect([receipt?.reason, receipt?.dueAt?.toString().slice(0, 10)]).toEqual(['late', until])
  })

  it('are too little, and nothing follows: the deal is cancelled after a bank day, and the funds are returned', async () => {
    const deal = await confirmedDeal()
    await arrive(deal.referenceCode, 8000n)
    fixture.pass({ hours: 24 })
    await sweep()
    expect(await reread(deal)).toMatchObject({ state: 'cancelled', reason: 'funding-short' })
    expect(await receiptsOf(deal)).toEqual([['returning', 'short']])
  })

  it('arrive in two parts within a bank day: the deal continues', async () => {
    const deal = await confirmedDeal()
    await arrive(deal.referenceCode, 8000n)
    fixture.pass({ hours: 5 })
    await arrive(deal.referenceCode, 1000n)
    expect(await receiptsOf(deal)).toEqual([
      ['used', null],
      ['used', null],
    ])
    expect((await reread(deal)).state).toBe('funded')
  })

  it('reference no quote: an operator task is raised', async () => {
    const id = await arrive('Invoice 4711')
    const { rows } = await fixture.context.database.pool.query<{ id: string; partner_id: string; state: string }>(
      'select id, partner_id, state from fx_inbound_funds where provider_funds_id = $1',
      [id],
    )
    expect(rows[0]).toMatchObject({ partner_id: '00000000-0000-0000-0000-000000000000', state: 'held' })
    expect(await kindsOf(rows[0]?.id ?? '')).toEqual(['UnknownReceipt'])
  })

  it('reference no quote because we transferred them: operators mark them as ours', async () => {
    const providerReceiptId = await arrive('Top-up')
    const receipt = (await listAllInboundFunds(fixture.context.database)).find(
      (each) => each.providerReceiptId === providerReceiptId,
    )
    await recordAsOwnFunds(fixture.context, { actor: 'operator Ingrid', note: 'For losses' }, receipt?.id ?? '')
    expect(await kindsOf(receipt?.id ?? '')).toEqual([])
    const deal = await confirmedDeal()
    await arrive(deal.referenceCode, 1n)
    const [short] = await listInboundFundsOfDeal(fixture.context.database, deal)
    const decision = { actor: 'operator Ingrid', note: 'Ours' }
    await expect(recordAsOwnFunds(fixture.context, decision, short?.id ?? '')).rejects.toThrow(
      'Only held funds that name no quote',
    )
  })

  it('cannot be returned: an operator task is raised', async () => {
    const deal = await confirmedDeal()
    await arrive(deal.referenceCode, COST.minor, 'SEK')
    fixture.pass({ hours: 24 })
    await sweep()
    fixture.provider.settlePayouts('failed')
    fixture.pass({ minutes: 5 })
    await sweep()
    expect(await receiptsOf(deal)).toEqual([['held', 'not-returnable']])
    const [receipt] = await listInboundFundsOfDeal(fixture.context.database, deal)
    expect(await kindsOf(receipt?.id ?? '')).toEqual(['ReceiptNotReturned'])
  })

  it('are recorded once however often they are reported', async () => {
    const deal = await confirmedDeal()
    const { provider, context, clock } = fixture
    const id = provider.arrive({ amount: COST, reference: deal.referenceCode, receivedAt: clock.now() })
    const receipt = await provider.readInboundFunds(id)
    const taken = await Promise.all([1, 2, 3].map(() => recordInboundFunds(context, provider.name, receipt)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await receiptsOf(deal)).toEqual([['used', null]])
  })

  it('do not arrive at all: an operator task is raised two bank days later, and the deal stays confirmed', async () => {
    const deal = await confirmedDeal()
    fixture.pass({ hours: 48 })
    await sweep()
    expect(await kindsOf(deal.id)).toEqual(['FundingMissing'])
    expect((await reread(deal)).state).toBe('confirmed')
    await cancelDeal(fixture.context, await reread(deal), 'funding-rejected')
    await sweep()
    expect(await kindsOf(deal.id)).toEqual([])
  })
})

describe('a payout', () => {
  async function paying(): Promise<Deal> {
    const deal = await confirmedDeal()
    await arrive(deal.referenceCode)
    await sweep()
    return deal
  }

  it('that is rejected permanently ends the deal, and the bought money is owed to the payer', async () => {
    const deal = await confirmedDeal()
    await arrive(deal.referenceCode)
    fixture.provider.faults = [{ is: 'rejected', kind: 'invalid' }]
    await sweep()
    expect(await reread(deal)).toMatchObject({ state: 'returned', returned: deal.quote.buy })
    expect(await kindsOf(deal.id)).toEqual(['PayoutReturned'])
    expect(fixture.provider.payouts.get(deal.id)).toBeUndefined()
  })

  it('that was accepted before the provider rejected it continues', async () => {
    const deal = await confirmedDeal()
    await arrive(deal.referenceCode)
    fixture.provider.faults = [null, { is: 'answer lost' }]
    await sweep()
    fixture.provider.faults = [null, { is: 'rejected', kind: 'invalid' }]
    fixture.pass({ minutes: 1 })
    await sweep()
    expect((await reread(deal)).state).toBe('paying')
  })

  it('that is held or cannot be read raises an operator task until it continues', async () => {
    const deal = await paying()
    fixture.provider.settlePayouts('held')
    fixture.pass({ minutes: 5 })
    await sweep()
    expect(await kindsOf(deal.id)).toEqual(['PayoutHeld'])
    fixture.provider.settlePayouts('completed')
    fixture.pass({ hours: 1 })
    await sweep()
    expect((await reread(deal)).state).toBe('paid')
    expect(await kindsOf(deal.id)).toEqual([])
    const unreadable = { is: 'rejected', kind: 'unknown-resource', on: 'readPayout' } as const
    fixture.provider.faults = Array.from({ length: 100 }, () => unreadable)
    fixture.pass({ hours: 25 })
    await sweep()
    expect(await kindsOf(deal.id)).toEqual(['PayoutHeld'])
    fixture.provider.faults = []
    fixture.pass({ hours: 1 })
    await sweep()
    expect(await kindsOf(deal.id)).toEqual([])
  })

  it.each(['paying', 'paid'] as const)('that is returned when it is %s is owed to the payer', async (when) => {
    const deal = await paying()
    if (when === 'paid') {
      fixture.provider.settlePayouts('completed')
      fixture.pass({ minutes: 5 })
      await sweep()
      expect((await reread(deal)).state).toBe('paid')
    }
    const payout = fixture.provider.payouts.get(deal.id)
    if (payout !== undefined) {
      const returned = { minor: 880n, currency: 'USD' }
      fixture.provider.payouts.set(deal.id, { ...payout, state: 'failed', failureReason: 'Account closed', returned })
    }
    fixture.pass({ hours: 25 })
    await sweep()
    expect(await reread(deal)).toMatchObject({
      state: 'returned',
      reason: 'Account closed',
      returned: { minor: 880n, currency: 'USD' },
    })
    expect(await kindsOf(deal.id)).toEqual(['PayoutReturned'])
  })
})

describe('metrics for operators', () => {
  it('count deals by state, the age of the oldest pending cancellation, and money that is held', async () => {
    const { context } = fixture
    await cancelDeal(context, await booked(), 'unsigned')
    await arrive('Nobody knows')
    fixture.pass({ minutes: 5 })
    await updateDealMetrics(context)
    const text = await context.metrics.registry.metrics()
    expect(text).toMatch(/havn_fx_deals_open\{state="cancelling"\} [1-9]/)
    expect(Number(/havn_fx_unwinding_oldest_seconds (\d+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(300)
    expect(Number(/havn_fx_inbound_funds_held (\d+)/.exec(text)?.[1])).toBeGreaterThan(0)
    await sweep()
    await updateDealMetrics(context)
    expect(await context.metrics.registry.metrics()).not.toContain('state="cancelling"')
  })
})
