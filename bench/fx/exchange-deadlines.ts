/** Measures FX: how soon open deals are decided at their deadlines, and the time that users have left to sign. */
import { setTimeout as pause } from 'node:timers/promises'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { openBrowser } from '../../gateway/testing/browser/bank-user.ts'
import { acceptedWithoutBrowser } from '../../gateway/testing/payments/payment-driver.ts'
import { crossBorderPayment, dollarSupplier } from '../../gateway/testing/payments/sample-cross-border-payments.ts'
import { CALLBACK } from '../../gateway/testing/payments/sample-payments.ts'
import { moveClock } from '../../sdk/index.ts'
import { measurementOf } from '../bench-part.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { barResult, quantile } from '../figures.ts'
import { busiestMinuteOf, setCallLimit } from './provider-calls.ts'

type ExchangePlan = {
  readonly deals: number
  /** Payments per batch and per second: at an even rate, because the provider's limit is counted per minute. */
  readonly atATime: number
  readonly perSecond: number
  readonly signers: number
  /** The provider's rate limit while the deals are opened. */
  readonly callsPerMinute: number
  /** How long cancellations are observed once all deals are decided. */
  readonly undoingSeconds: number
  /** Whether business time is moved past the deadlines, which are five minutes away. */
  readonly hurries: boolean
}

const FULL: ExchangePlan = {
  deals: 10_000,
  atATime: 16,
  perSecond: 40,
  signers: 50,
  callsPerMinute: 24_000,
  undoingSeconds: 90,
  hurries: false,
}

export const exchangeDeadlines = measurementOf<ExchangePlan, ExchangeFigures>({
  full: FULL,
  short: { ...FULL, deals: 3, atATime: 3, signers: 1, undoingSeconds: 1, hurries: true },
  measure: (onHavn, plan) => {
    const calls = String(plan.callsPerMinute)
    const settings = { HAVN_FX_CALLS_PER_MINUTE: calls, HAVN_FX_RATE_CALLS_PER_MINUTE: calls }
    return onHavn((havn) => measure(havn, plan), settings)
  },
  lines,
})

type ExchangeFigures = {
  readonly deals: number
  /** When the last one was booked. */
  readonly openAtOnce: number
  /** From the deadline until the payment was cancelled, in milliseconds, one for each. */
  readonly decidedAfter: readonly number[]
  /** Deals that were cancelled at the provider while observed, and the duration since the last order. */
  readonly undone: number
  readonly undoneWithinSeconds: number
  /** Calls to the provider in the busiest minute of that. */
  readonly callsInAMinute: number
  /** The share of the signing time that is left when the user reaches the bank, per user. */
  readonly timeLeft: readonly number[]
}

/** Bank days of all banks involved. */
const PAYING_DAYS = ['NO', 'SE', 'DK', 'FI'] as const
const POLL_MILLISECONDS = 1_000
/** No deadline passes during the measurement except those measured. */
const DECISION_TIMEOUT_MILLISECONDS = 1_800_000

async function measure(havn: RunningHavn, plan: ExchangePlan): Promise<ExchangeFigures> {
  await setCallLimit(havn.fxControlUrl, plan.callsPerMinute)
  const order = await openOrders(havn)
  const timeLeft: number[] = []
  for (let signer = 0; signer < plan.signers; signer += 1) {
    timeLeft.push(await timeLeftOf(havn, order))
  }
  await orderAll(order, plan)
  const openAtOnce = await count(havn, `select count(*) from fx_deals where state = 'booked'`)
  const begun = performance.now()
  // From now on the provider only receives cancellations of unsigned deals.
  const callsInAMinute = await busiestMinuteOf(havn.fxControlUrl, async () => {
    await (plan.hurries && moveClock(havn.client, { advance: 'PT10M' }))
    await waitUntilNone(havn, `select count(*) from payments where status <> 'Cancelled'`)
    await pause(plan.undoingSeconds * 1000)
  })
  const { rows } = await havn.database.pool.query<{ after: number }>(SELECT_DECIDED)
  return {
    deals: rows.length,
    openAtOnce,
    decidedAfter: rows.map(({ after }) => after),
    undone: await count(havn, COUNT_UNWOUND),
    undoneWithinSeconds: (performance.now() - begun) / 1000,
    callsInAMinute,
    timeLeft,
  }
}

/** At an even rate, with several in flight where the gateway takes longer. */
async function orderAll(order: Orders, { deals, atATime, perSecond }: ExchangePlan): Promise<void> {
  const begun = performance.now()
  let ordered = 0
  const orderSome = async () => {
    while (ordered < deals) {
      const at = begun + (ordered * 1000) / perSecond
      ordered += 1
      await pause(Math.max(0, at - performance.now()))
      await order.initiate('later')
    }
  }
  await Promise.all(Array.from({ length: atATime }, orderSome))
}

const SELECT_DECIDED = `
  select (extract(epoch from min(h.at) - p.deadline_at) * 1000)::float as after
  from payments p join payment_history h on h.partner_id = p.partner_id and h.payment_id = p.id
  where h.status = 'Cancelled' and p.deadline_at is not null group by p.partner_id, p.id, p.deadline_at`
const COUNT_UNWOUND = `select count(*) from fx_deals where state = 'cancelled'`

type Orders = {
  /** Orders a unique invoice in dollars; due today it must be signed within two minutes, later within five. */
  initiate(due: 'today' | 'later'): Promise<{ readonly paymentId: string; readonly quoteExpiryTime?: string }>
  /** Starts the approval, and returns the redirect URL of its user. */
  approve(paymentId: string): Promise<string>
}

async function openOrders(havn: RunningHavn): Promise<Orders> {
  const { client } = havn
  const clock = movableClock()
  const morning = nextBankDay(PAYING_DAYS, clock.today('Europe/Oslo').add({ days: 1 }))
  await moveClock(client, { set: `${morning}T08:00:00Z` })
  const later = nextBankDay(PAYING_DAYS, morning.add({ days: 1 }))
  const bank = nordicBank('FJORNO22')
  const consented = await acceptedWithoutBrowser(havn, bank.users[0], bank)
  return {
    initiate: async (due) => {
      const dueDate = (due === 'today' ? morning : later).toString()
      const amount = { amount: '100.00', currency: 'USD' }
      const from = { bban: bank.main, currency: bank.currency }
      const body = crossBorderPayment({ context: { clock } }, bank, from, { to: dollarSupplier, amount, dueDate })
      return await client.initiateCrossBorderPayment({ ...consented, body })
    },
    approve: async (paymentId) => {
      const body = { payments: [paymentId], callbackUrl: CALLBACK }
      const { sca } = await client.approvePayments({ ...consented, body })
      if (sca?.type !== 'redirect') {
        throw new Error('The user is sent nowhere')
      }
      return sca.url
    },
  }
}

/** From the payment request until the browser is on the bank's page. */
async function timeLeftOf({ client }: RunningHavn, { initiate, approve }: Orders): Promise<number> {
  const begun = await businessTime(client)
  const { paymentId, quoteExpiryTime = '' } = await initiate('today')
  const browser = openBrowser()
  const link = await approve(paymentId)
  await browser.get(link)
  await browser.get(await browser.post(link, {}))
  const [now, end] = [await businessTime(client), Date.parse(quoteExpiryTime)]
  return (end - now) / (end - begun)
}

async function businessTime(client: RunningHavn['client']): Promise<number> {
  return Date.parse((await client.getSandboxClock()).now)
}

async function waitUntilNone(havn: RunningHavn, counting: string): Promise<void> {
  const until = performance.now() + DECISION_TIMEOUT_MILLISECONDS
  while ((await count(havn, counting)) > 0) {
    if (performance.now() > until) {
      throw new Error(`There were still some after half an hour: ${counting}`)
    }
    await pause(POLL_MILLISECONDS)
  }
}

async function count({ database }: RunningHavn, counting: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(counting)
  return Number(rows[0]?.count)
}

const DECIDED_MAX_MILLISECONDS = 1_000
const CALLS_PER_MINUTE_MAX = 500
const TIME_LEFT_MIN = 0.9

function lines(figures: ExchangeFigures): readonly string[] {
  const { deals, openAtOnce, decidedAfter, undone, undoneWithinSeconds, callsInAMinute, timeLeft } = figures
  const slowest = quantile(decidedAfter, 1)
  const least = quantile(timeLeft, 0)
  const p95 = quantile(decidedAfter, 0.95).toFixed(0)
  return [
    `Exchange, ${deals} unsigned deals, ${openAtOnce} of them open at once:`,
    `  decided after the deadline       p95 ${p95} ms, slowest ${slowest.toFixed(0)} ms (bar: at most ${DECIDED_MAX_MILLISECONDS} ms) ${barResult(slowest <= DECIDED_MAX_MILLISECONDS)}`,
    `  cancelled at the provider        ${undone} within ${undoneWithinSeconds.toFixed(0)} s of the last order`,
    `    calls to the provider          ${callsInAMinute} in the busiest minute (bar: at most ${CALLS_PER_MINUTE_MAX}, its usual limit) ${barResult(callsInAMinute <= CALLS_PER_MINUTE_MAX)}`,
    `  signing time left at the bank    ${(100 * least).toFixed(1)} % minimum of ${timeLeft.length} users (bar: at least ${100 * TIME_LEFT_MIN} %) ${barResult(least >= TIME_LEFT_MIN)}`,
  ]
}
