/** Tests with random events, orders and crashes that deals reach a final state and move all funds exactly once. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { type CrashingDatabase, crashingDatabase, DatabaseCrash } from '../../testing/database/crashing-database.ts'
import { recordInboundFunds } from '../funding/record-inbound-funds.ts'
import { fxSweeps } from '../jobs.ts'
import { checkLedger } from '../ledger/ledger.ts'
import { recordRefund, returnFundsByOperator } from '../operator-actions.ts'
import type { FxProviderErrorKind } from '../providers/fx-provider-error.ts'
import { CLOSED_STATES, type Deal, type DealCancellationReason } from '../store/deal.ts'
import type { Quote } from '../store/quote.ts'
import { sampleQuote } from '../testing/deal-samples.ts'
import { type FxFixture, openFxFixture } from '../testing/fx-fixture.ts'
import { type Fault, type ScriptedProvider, SimulatedCrash, scriptedProvider } from '../testing/scripted-provider.ts'
import { type DealRow, deleteAllDeals, listAllDeals, listAllInboundFunds } from '../testing/stored-deals.ts'
import { bookDeal, QuoteAlreadyBooked } from './book-deal.ts'
import { cancelDeal, confirmDeal } from './change-deal.ts'

/** Ten thousand are run by `HAVN_DEAL_LIVES=10000`, which takes about two hours on two cores. */
const LIVES = Number(process.env['HAVN_DEAL_LIVES'] ?? 4)
const STEPS = { minLength: 4, maxLength: 16 }
const MILLISECONDS_MAX = LIVES * 5_000 + 60_000
const OPERATOR = { actor: 'operator Ingrid', note: 'As agreed' }

/** One of the quotes of this sequence, counted from the latest. */
type Which = { readonly which: number }
type Act =
  | { readonly do: 'quote' | 'sweep' }
  | ({ readonly do: 'book' | 'confirm' } & Which)
  | ({ readonly do: 'cancel'; readonly why: DealCancellationReason } & Which)
  | ({
      readonly do: 'arrive'
      readonly percent: number
      readonly currency: string
      readonly isReported: boolean
    } & Which)
  | { readonly do: 'arrive without a name' }
  | { readonly do: 'payouts'; readonly become: 'completed' | 'failed' | 'held' }
  | { readonly do: 'rates'; readonly expired: boolean }
  | { readonly do: 'pass'; readonly seconds: number }
/** Concurrent actions, and their faults. */
type Step = {
  readonly acts: readonly Act[]
  readonly faults: readonly (Fault | null)[]
  readonly death: { readonly statements: number; readonly answerLost: boolean } | null
}

const which = fc.constantFrom(0, 0, 0, 1, 2)
const one = <What extends string>(what: What) => fc.record({ do: fc.constant(what), which })
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Act>({ do: 'quote' }) },
  { weight: 4, arbitrary: one('book') },
  { weight: 3, arbitrary: one('confirm') },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      why: fc.constantFrom<DealCancellationReason>('unsigned', 'unsigned', 'given-up', 'cancelled', 'funding-rejected'),
      which,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('arrive' as const),
      percent: fc.constantFrom(100, 100, 100, 60, 40, 150),
      currency: fc.constantFrom('NOK', 'NOK', 'NOK', 'NOK', 'SEK'),
      isReported: fc.boolean(),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.constant<Act>({ do: 'arrive without a name' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('payouts' as const),
      become: fc.constantFrom('completed' as const, 'completed' as const, 'failed' as const, 'held' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rates' as const), expired: fc.boolean() }) },
  { weight: 3, arbitrary: fc.constant<Act>({ do: 'sweep' }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 30, 200, 400, 90_000) }),
  },
)
const kinds = fc.constantFrom<FxProviderErrorKind>(
  'unavailable',
  'rate-limited',
  'outcome-unknown',
  'invalid',
  'too-late',
)
const faults: fc.Arbitrary<Fault | null> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('rejected' as const), kind: kinds }) },
  { weight: 2, arbitrary: fc.constant<Fault>({ is: 'answer lost' }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('death' as const), done: fc.boolean() }) },
)
const steps: fc.Arbitrary<Step> = fc.record({
  acts: fc.array(acts, { minLength: 1, maxLength: 3 }),
  faults: fc.array(faults, { maxLength: 3 }),
  death: fc.option(fc.record({ statements: fc.nat({ max: 25 }), answerLost: fc.boolean() }), { freq: 3 }),
})
const BEGINNING: Step = { acts: [{ do: 'quote' }], faults: [], death: null }

let fixture: FxFixture
let mortal: CrashingDatabase
beforeAll(async () => {
  fixture = await openFxFixture()
  mortal = crashingDatabase(fixture.context.database.pool)
})
afterAll(() => fixture.close())

/** The events of a sequence, as far as the invariant concerns them. */
type Life = {
  readonly context: Context
  readonly provider: ScriptedProvider
  readonly quotes: Quote[]
  /** Deals that we reported as confirmed. */
  readonly stood: Set<string>
  readonly reported: Map<string, Deal>
}

function beginLife(): Life {
  const provider = scriptedProvider()
  // Leases of crashed workers expire while business time passes.
  const clock = { ...fixture.clock, real: fixture.clock.now }
  const context = { ...fixture.context, clock, database: mortal, fx: provider }
  return { context, provider, quotes: [], stood: new Set(), reported: new Map() }
}

async function live(all: readonly Step[]): Promise<void> {
  await deleteAllDeals(fixture.context.database)
  const life = beginLife()
  await sweep(life)
  for (const step of [BEGINNING, ...all]) {
    mortal.live(step.death)
    life.provider.faults = [...step.faults]
    await Promise.all(step.acts.map((act) => mortally(() => carryOut(life, act))))
    mortal.live(null)
    life.provider.faults = []
  }
  await endLife(life)
  await expectAllAtItsPlace(life)
}

/** The process may crash; no other failure is allowed. */
async function mortally(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    const isExpected =
      error instanceof DatabaseCrash || error instanceof SimulatedCrash || error instanceof QuoteAlreadyBooked
    if (!isExpected && !/^(Connection terminated|current transaction is aborted)/.test(String(Object(error).message))) {
      throw error
    }
  }
}

async function carryOut(life: Life, act: Act): Promise<void> {
  const { context, provider, quotes } = life
  const quote = 'which' in act ? quotes.at(-1 - (act.which % Math.max(1, quotes.length))) : undefined
  switch (act.do) {
    case 'quote':
      quotes.push(await sampleQuote(context))
      break
    case 'book':
      await (quote && bookDeal(context, { quote, terms: quote.terms, paymentId: quote.endToEndId }))
      break
    case 'confirm':
      await stand(life, quote)
      break
    case 'cancel':
      await withDeal(quote, async (deal) => void (await cancelDeal(context, deal, act.why)))
      break
    case 'arrive':
      await (quote && arrive(life, act, quote))
      break
    case 'arrive without a name':
      provider.arrive({ amount: { minor: 5n, currency: 'NOK' }, reference: 'A word', receivedAt: context.clock.now() })
      break
    case 'payouts':
      provider.settlePayouts(act.become)
      break
    case 'rates':
      provider.quotesExpired = act.expired
      break
    case 'sweep':
      await sweep(life)
      break
    case 'pass':
      fixture.pass({ seconds: act.seconds })
      break
  }
}

async function stand({ context, stood }: Life, quote: Quote | undefined): Promise<void> {
  await withDeal(quote, async (deal) => {
    const { id, state } = await confirmDeal(context, deal, context.clock.now())
    if (state === 'confirmed') {
      stood.add(id)
    }
  })
}

async function arrive({ context, provider }: Life, act: Act & { do: 'arrive' }, quote: Quote): Promise<void> {
  const minor = (quote.cost.minor * BigInt(act.percent)) / 100n
  const amount = { minor, currency: act.currency }
  const id = provider.arrive({ amount, reference: quote.referenceCode, receivedAt: context.clock.now() })
  if (act.isReported) {
    await recordInboundFunds(
      context,
      provider.name,
      await provider.readInboundFunds(id).catch(() => never(provider, id)),
    )
  }
}

/** The provider did not state what the notification is about. */
function never({ arrived }: ScriptedProvider, id: string): never {
  throw new SimulatedCrash(`${arrived.length} arrived, and ${id} was not read`)
}

async function withDeal(quote: Quote | undefined, act: (deal: Deal) => Promise<void>): Promise<void> {
  const row = (await listAllDeals(fixture.context.database)).find(({ deal }) => deal.quoteId === quote?.id)
  await (row && act(row.deal))
}

async function sweep({ context, reported }: Life): Promise<void> {
  await runSweepsUntilIdle(fxSweeps(context, async (deal) => void reported.set(deal.id, deal)))
}

/** All faults are cleared, deadlines pass, operators complete their tasks, and weeks pass. */
async function endLife(life: Life): Promise<void> {
  for (const { deal } of await listAllDeals(fixture.context.database)) {
    await (deal.state === 'booked' && cancelDeal(life.context, deal, 'unsigned'))
  }
  for (const days of [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 30, 30]) {
    fixture.pass({ hours: days * 24, minutes: 10 })
    await sweep(life)
    life.provider.settlePayouts('completed')
    await doTasks(life)
  }
}

async function doTasks({ context }: Life): Promise<void> {
  const { database } = fixture.context
  for (const { deal } of await listAllDeals(database)) {
    const isForsaken = deal.state === 'confirmed' && context.clock.now().since(deal.changedAt).total('hours') > 80
    await (isForsaken && cancelDeal(context, deal, 'operator'))
    await (deal.state === 'booked' && cancelDeal(context, deal, 'unsigned'))
    await (deal.state === 'returned' && recordRefund(context, OPERATOR, deal.id))
  }
  for (const receipt of await listAllInboundFunds(database)) {
    const isForPeople = receipt.state === 'held' && ['unknown', 'not-returnable'].includes(receipt.reason ?? '')
    await (isForPeople && returnFundsByOperator(context, OPERATOR, receipt.id))
  }
}

async function expectAllAtItsPlace(life: Life): Promise<void> {
  const { database } = fixture.context
  expect(await checkLedger(database)).toEqual([])
  const deals = await listAllDeals(database)
  for (const row of deals) {
    expectDealAtItsEnd(life, row)
  }
  expectNothingForgotten(life, deals)
  await expectMoneyAtItsPlace(life, deals)
}

function expectDealAtItsEnd({ provider, reported, stood }: Life, { deal, events, waits }: DealRow): void {
  expect(CLOSED_STATES).toContain(deal.state)
  expect(waits).toEqual({ due_at: null, unwind_at: null, notify_at: null })
  expect(events.length, 'each event once').toBe(new Set(events).size)
  const conversion = provider.conversions.get(deal.id)
  const payout = provider.payouts.get(deal.id)
  if (deal.state === 'cancelled') {
    expect(conversion?.state).toBe('cancelled')
    expect(events).not.toContain('funded')
    expect(provider.cancelled.filter((id) => id === deal.conversionId)).toHaveLength(1)
  } else if (deal.state === 'failed') {
    expect(conversion).toBeUndefined()
  } else {
    expect(conversion?.state).toBe('awaiting-funds')
  }
  expect(payout === undefined || ['paid', 'refunded'].includes(deal.state)).toBe(true)
  if (deal.state === 'paid') {
    expect(payout).toMatchObject({ state: 'completed', amount: deal.quote.buy, conversionId: deal.conversionId })
  }
  if (stood.has(deal.id)) {
    expect(['unsigned', 'given-up', 'cancelled']).not.toContain(deal.state === 'cancelled' ? deal.reason : null)
  }
  expect(reported.get(deal.id)?.version ?? null).toBe(deal.paymentId === null ? null : deal.version)
}

/** Every conversion and payout at the provider is recorded. */
function expectNothingForgotten({ provider }: Life, deals: readonly DealRow[]): void {
  const known = new Set(deals.map(({ deal }) => deal.id))
  expect([...provider.conversions.keys()].filter((id) => !known.has(id))).toEqual([])
  const ofDeals = [...provider.payouts.values()].filter(({ receiptId }) => receiptId === null)
  expect(ofDeals.filter(({ requestId }) => !known.has(requestId))).toEqual([])
}

/** What arrived funds one deal to the øre, or was returned, once. */
async function expectMoneyAtItsPlace({ provider }: Life, deals: readonly DealRow[]): Promise<void> {
  const receipts = await listAllInboundFunds(fixture.context.database)
  expect(receipts.map(({ providerReceiptId }) => providerReceiptId).toSorted()).toEqual(
    provider.arrived.map(({ id }) => id).toSorted(),
  )
  for (const { providerReceiptId, state, amount } of receipts) {
    const back = [...provider.payouts.values()].filter(
      (payout) => payout.receiptId === providerReceiptId && payout.state === 'completed',
    )
    expect(back.map((payout) => payout.amount)).toEqual(state === 'returned' ? [amount] : [])
    expect(['used', 'returned']).toContain(state)
  }
  for (const { deal, events } of deals) {
    const used = receipts.filter(({ dealId, state }) => dealId === deal.id && state === 'used')
    const sum = used.reduce((total, { amount }) => total + amount.minor, 0n)
    expect(sum).toBe(events.includes('funded') ? deal.cost.minor : 0n)
  }
}

test(`holds through ${LIVES} random sequences of deal events`, { timeout: MILLISECONDS_MAX }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(steps, STEPS), live), { numRuns: LIVES, endOnFailure: true })
})

test('the scripted provider loses requests as configured, so that the invariant is exercised', async () => {
  const provider = scriptedProvider()
  provider.faults = [{ is: 'answer lost' }, { is: 'death', done: true }]
  const quote = { ...(await sampleQuote(fixture.context)).held }
  const book = () => provider.book({ quote, requestId: newId(), reason: 'Trial' })
  await expect(book()).rejects.toThrow('The answer was lost')
  await expect(book()).rejects.toThrow(SimulatedCrash)
  expect(provider.conversions.size).toBe(2)
})
