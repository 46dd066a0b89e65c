/** Tests deals at the sandbox FX provider over HTTP: payouts, cancellations and returns, with injected faults. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { digestOf, NOTIFICATION_KEY } from '../../../sandbox/fx/notifications.ts'
import type { Context } from '../../context.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { setBusinessTime } from '../../platform/database/business-clock-store.ts'
import { newId } from '../../platform/ids.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { formatAmount } from '../../platform/money.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../../testing/fx/fx-provider-fixture.ts'
import { fxSweeps } from '../jobs.ts'
import { FX_NOTIFICATIONS_PATH } from '../notification-routes.ts'
import { recordRefund } from '../operator-actions.ts'
import type { Deal } from '../store/deal.ts'
import { findDealById } from '../store/deal-store.ts'
import { listInboundFundsOfDeal } from '../store/inbound-funds-store.ts'
import { sampleQuote } from '../testing/deal-samples.ts'
import { bookDeal } from './book-deal.ts'
import { cancelDeal, confirmDeal } from './change-deal.ts'
import { getDealTimeline } from './get-deal.ts'

/** At another hour each time: polls are due at least as often. */
const STOP = { hours: 28 }

let stage: GatewayWithFx
let context: Context
/** A Tuesday, another one each time; from June on, Norway has no bank holidays until Christmas. */
let day = Temporal.PlainDate.from('2027-06-01')
beforeAll(async () => {
  stage = await startGatewayWithFx()
  context = stage.gateway.context
  await setTime(day.toZonedDateTime('UTC').toInstant())
})

/** The cost of cancelled deals is taken from our own balance at the provider. */
async function topUp(): Promise<void> {
  await stage.fx.control('/arrivals', { iban: 'NO3380590100009', amount: '1000.00', reference: 'Our own' })
}

afterAll(() => stage.close())
/** Each waits for many responses over HTTP, which take longer on a busy machine. */
async function moveTo(target: string): Promise<void> {
  const { clock } = context
  const sweeps = fxSweeps(context, async () => undefined)
  for (let left = true; left; ) {
    const next = clock.now().add(STOP)
    left = Temporal.Instant.compare(next, target) < 0
    const at = left ? next : Temporal.Instant.from(target)
    await setTime(at)
    await runSweepsUntilIdle(sweeps)
  }
}

async function setTime(at: Temporal.Instant): Promise<void> {
  await setBusinessTime(context.database, context.clock, at)
  await stage.fx.control('/clock', { now: at.toString() })
}

async function later(days: number, time = '09:00:00'): Promise<void> {
  await moveTo(`${day.add({ days })}T${time}Z`)
}

/** A quote for a hundred dollars that the provider holds. */
async function booked(): Promise<Deal> {
  const provider = context.fx
  if (provider === null) {
    throw new Error('There is no provider')
  }
  const held = await provider.quote({
    ...{ buyCurrency: 'USD', sellCurrency: 'NOK', fixedSide: 'buy', conversionDate: null, holdSeconds: 120 },
    amount: { minor: 10_000n, currency: 'USD' },
  })
  const intermediary = await provider.intermediaryAccount({ currency: 'NOK', country: 'NO' })
  const quote = await sampleQuote(context, {
    ...{ provider: provider.name, held, cost: held.sell, expiresAt: held.holdsUntil },
    ...(intermediary === null ? {} : { intermediary }),
  })
  return (await bookDeal(context, { quote, terms: quote.terms, paymentId: null })).deal
}

async function confirmedDeal(): Promise<Deal> {
  const deal = await booked()
  expect(deal.state).toBe('booked')
  return await confirmDeal(context, deal, context.clock.now())
}

/** The payer's bank sends money to our account at the provider. */
async function pay({ cost, referenceCode }: Deal, amount = formatAmount(cost)): Promise<void> {
  await stage.fx.control('/arrivals', {
    ...{ iban: 'NO3380590100009', amount, reference: `Invoice, ${referenceCode.toLowerCase()}` },
    ...{ senderName: 'Nordlys Handel AS', senderCountry: 'NO', senderIban: 'NO9386011117947' },
  })
}

async function states(deal: Deal): Promise<readonly string[]> {
  const reported = await getDealTimeline(context.database, deal)
  return reported.map(({ event }) => event).filter((event) => !event.startsWith('money-'))
}

async function money(deal: Deal): Promise<readonly string[]> {
  return (await listInboundFundsOfDeal(context.database, deal)).map(({ state, reason }) =>
    `${state} ${reason ?? ''}`.trim(),
  )
}

async function reread(deal: Deal): Promise<Deal> {
  return (await findDealById(context.database, deal)) ?? deal
}

async function kindsOf({ id }: Deal): Promise<readonly string[]> {
  return (await getOpenTasks(context)).filter(({ subjectId }) => subjectId === id).map(({ kind }) => kind)
}

/** Each waits for many answers over HTTP, which take longer on a busy machine. */
const TEST_MILLISECONDS = 120_000

/** One of each kind: the call was executed, it was not, it needs a new login; long runs have the other ones. */
const FAULTS = ['lose-answer', 'drop-request', 'session-lost', 'unavailable', 'server-error', 'cut-answer'].slice(
  0,
  Number(process.env['HAVN_FX_CALL_FAULTS'] ?? 3),
)

/** The deals of other tests go on, at no particular time. */
async function startDay(): Promise<void> {
  await stage.fx.clearFaults()
  // A restart of the provider forgets it.
  await stage.fx.control('/notice-address', { url: `${stage.gateway.url}${FX_NOTIFICATIONS_PATH}` })
  const today = context.clock.today('UTC')
  day = today.add({ days: 7 - ((today.dayOfWeek + 5) % 7) })
  await setTime(Temporal.Instant.from(`${day}T09:00:00Z`))
  await runSweepsUntilIdle(fxSweeps(context, async () => undefined))
}

describe('a deal at the provider', { timeout: TEST_MILLISECONDS }, () => {
  beforeEach(startDay)

  it('is funded as soon as the provider reports its funds, and paid out', async () => {
    const deal = await confirmedDeal()
    await pay(deal)
    expect(await states(deal)).toEqual(['booked', 'confirmed', 'funded'])
    const pending = await confirmedDeal()
    await stage.fx.fault('funding-late', { seconds: 86_400, times: 1 })
    await pay(pending)
    expect(await states(pending)).toEqual(['booked', 'confirmed'])
    await later(6)
    expect(await states(deal)).toEqual(['booked', 'confirmed', 'funded', 'paying', 'paid'])
    expect(await states(pending)).toEqual(await states(deal))
    expect(await money(deal)).toEqual(['used'])
  })

  it('is funded by polling when no notification arrives, and a forged one is rejected', async () => {
    const deal = await confirmedDeal()
    await stage.fx.fault('notice-forged')
    await pay(deal)
    expect(await states(deal)).toEqual(['booked', 'confirmed'])
    await later(0, '12:00:00')
    expect(await states(deal)).toContain('funded')
  })

  it.each(FAULTS)('succeeds although each call that moves money meets "%s" once', async (effect) => {
    const injectFault = (operation: string) => stage.fx.fault(effect, { operation, times: 1 })
    await injectFault('POST /beneficiaries/create')
    await injectFault('POST /payments/create')
    const deal = await confirmedDeal()
    await pay(deal)
    await later(6)
    expect((await states(deal)).at(-1)).toBe('paid')
    await injectFault('POST /conversions/{id}/cancel')
    await injectFault('POST /conversions/:id/cancel')
    await later(7)
    const cancelled = await cancelDeal(context, await booked(), 'unsigned')
    await later(7, '10:00:00')
    await later(7, '11:00:00')
    expect(await states(cancelled)).toEqual(['booked', 'cancelling', 'cancelled'])
  })

  it('is booked once although the response is lost', async () => {
    await stage.fx.fault('lose-answer', { operation: 'POST /conversions/create', times: 1 })
    const before = Object(await stage.fx.control('/conversions')).length
    const deal = await booked()
    expect(deal.state).toBe('booked')
    expect(Object(await stage.fx.control('/conversions')).length).toBe(before + 1)
    await cancelDeal(context, deal, 'unsigned')
    await later(1)
  })

  it('fails when the provider rejects to book', async () => {
    await stage.fx.fault('refuse-booking', { times: 1 })
    expect((await booked()).state).toBe('failed')
  })

  it('whose late funds the provider holds on return raises an operator task until they are released', async () => {
    const deal = await cancelDeal(context, await booked(), 'unsigned')
    await later(0, '09:01:00')
    await pay(deal, '5000000.00')
    await topUp()
    await stage.fx.fault('payment-suspended', { times: 1 })
    await later(3)
    const [receipt] = await listInboundFundsOfDeal(context.database, deal)
    expect(receipt?.state).toBe('returning')
    const tasks = await getOpenTasks(context)
    expect(tasks.filter(({ subjectId }) => subjectId === receipt?.id).map(({ kind }) => kind)).toEqual([
      'ReceiptNotReturned',
    ])
    await stage.fx.control(`/payments/${receipt?.payoutId}/release`, {})
    await later(6)
    expect(await money(deal)).toEqual(['returned late'])
  })

  it('whose cancellation fails raises an operator task until it succeeds', async () => {
    await stage.fx.fault('refuse-cancelling')
    const deal = await cancelDeal(context, await booked(), 'unsigned')
    for (const hour of [10, 11, 12, 13, 14]) {
      await later(0, `${hour}:00:00`)
    }
    expect([(await reread(deal)).state, await kindsOf(deal)]).toEqual(['cancelling', ['DealNotUnwound']])
    await stage.fx.clearFaults()
    await later(0, '18:00:00')
    expect([(await reread(deal)).state, await kindsOf(deal)]).toEqual(['cancelled', []])
  })

  it('whose payout is held raises an operator task, and continues when it is released', async () => {
    const deal = await confirmedDeal()
    await stage.fx.fault('payment-suspended', { times: 1 })
    await pay(deal)
    await later(6)
    const { payoutId } = await reread(deal)
    expect(await kindsOf(deal)).toEqual(['PayoutHeld'])
    await stage.fx.control(`/payments/${payoutId}/release`, {})
    await later(9)
    expect([(await reread(deal)).state, await kindsOf(deal)]).toEqual(['paid', []])
  })

  it('whose payout fails or is returned owes the payer the returned money until operators repaid it', async () => {
    const deals = [await confirmedDeal(), await confirmedDeal()]
    // Each is met by one of the two payouts.
    await stage.fx.fault('payment-failed', { times: 1 })
    await stage.fx.fault('payment-returned', { times: 1 })
    for (const deal of deals) {
      await pay(deal)
    }
    await later(13)
    for (const deal of deals) {
      expect([(await reread(deal)).state, await kindsOf(deal)]).toEqual(['returned', ['PayoutReturned']])
      await recordRefund(context, { actor: 'operator Ingrid', note: 'Paid back by transfer' }, deal.id)
      expect([(await reread(deal)).state, await kindsOf(deal)]).toEqual(['refunded', []])
    }
  })

  it('survives a restart of the provider at any point', async () => {
    const deal = await confirmedDeal()
    await stage.fx.restart()
    await pay(deal)
    await stage.fx.restart()
    await later(6)
    expect((await reread(deal)).state).toBe('paid')
  })
})

describe('a deal with funds that it cannot use', { timeout: TEST_MILLISECONDS }, () => {
  let unneeded: Deal
  let twice: Deal
  let short: Deal
  beforeAll(async () => {
    await startDay()
    unneeded = await cancelDeal(context, await booked(), 'unsigned')
    await later(0, '09:01:00')
    expect((await reread(unneeded)).state).toBe('cancelled')
    await pay(unneeded)
    expect(await money(unneeded)).toEqual(['held late'])
    twice = await confirmedDeal()
    await stage.fx.fault('funding-double', { times: 1 })
    await pay(twice)
    short = await confirmedDeal()
    await stage.fx.fault('funding-short', { times: 1, amount: '1.00' })
    await pay(short)
    await topUp()
    await topUp()
    await later(8)
  }, TEST_MILLISECONDS)

  it('since it was cancelled returns them after a bank day', async () => {
    expect(await money(unneeded)).toEqual(['returned late'])
  })

  it('since it is funded twice keeps one receipt, and returns the other', async () => {
    expect((await money(twice)).toSorted()).toEqual(['returned twice', 'used'])
    expect((await reread(twice)).state).toBe('paid')
  })

  it('since they are too little is cancelled after a bank day, and returns all of them', async () => {
    expect(await money(short)).toEqual(['returned short'])
    expect(await reread(short)).toMatchObject({ state: 'cancelled', reason: 'funding-short' })
  })
})

describe('the notification URL', () => {
  const tell = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${stage.gateway.url}${FX_NOTIFICATIONS_PATH}`, { method: 'POST', body, headers })

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['an unknown payment', '{"header":{"message_type":"payment"},"body":{"id":"x"}}'],
  ])('responds with 204 to %s without the right signature, changes nothing, and logs it', async (_what, body) => {
    const logged = stage.gateway.logLines().length
    const answers = await Promise.all([
      tell(body),
      tell(body, { 'x-hmac-digest-sha-512': 'ab'.repeat(64) }),
      tell(body, { 'content-type': 'application/json', 'x-hmac-digest-sha-512': '' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    const lines = stage.gateway.logLines().slice(logged).join('\n')
    expect(lines.match(/ignored a provider notification/g)).toHaveLength(3)
  })

  it('accepts what the provider signs although it concerns nothing of ours', async () => {
    const body = JSON.stringify({
      header: { message_type: 'payment', notification_type: 'payment_released_notification' },
      body: { id: newId(), unique_request_id: 'of another program' },
    })
    expect((await tell(body, { 'x-hmac-digest-sha-512': digestOf(body, NOTIFICATION_KEY) })).status).toBe(204)
  })

  it('rejects a body that is longer than any notification', async () => {
    expect((await tell('x'.repeat(100_000))).status).toBe(413)
  })
})
