/** Measures FX: how soon open deals are decided at their deadlines, and the time that users have left to sign. */
import { setTimeout as pause, setInterval } from 'node:timers/promises'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import { waitUntil } from '../../gateway/platform/wait-until.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { openBrowser } from '../../gateway/testing/browser/bank-user.ts'
import { acceptedWithoutBrowser } from '../../gateway/testing/payments/payment-driver.ts'
import { crossBorderPayment, dollarSupplier } from '../../gateway/testing/payments/sample-cross-border-payments.ts'
import { CALLBACK } from '../../gateway/testing/payments/sample-payments.ts'
import { moveClock } from '../../sdk/index.ts'
import { measurementOf } from '../bench-part.ts'
import { atEvenRate } from '../environment/even-rate.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { atLeast, atMost, line, quantile } from '../figures.ts'

const FULL = {
  deals: 10_000,
  /** Payments per batch and per second: at an even rate, because the provider's limit is counted per minute. */
  atATime: 16,
  perSecond: 40,
  signers: 50,
  /** The provider's rate limit while the deals are opened. */
  callsPerMinute: 24_000,
  /** How long cancellations are observed once all deals are decided. */
  undoingSeconds: 90,
  /**
   * Whether business time is moved past the deadlines, which are five minutes away. It jumps from one attempt to the next
   * then: a bank that does not answer one makes a decision minutes late, so that the figure measures nothing.
   */
  hurries: false,
}
type ExchangePlan = typeof FULL

export const exchangeDeadlines = measurementOf<ExchangePlan>(
  { full: FULL, short: { ...FULL, deals: 3, atATime: 3, signers: 1, undoingSeconds: 1, hurries: true } },
  (onHavn, plan) => {
    const calls = String(plan.callsPerMinute)
    const settings = { HAVN_FX_CALLS_PER_MINUTE: calls, HAVN_FX_RATE_CALLS_PER_MINUTE: calls }
    return onHavn((havn) => measure(havn, plan), settings)
  },
)

/** Bank days of all banks involved. */
const PAYING_DAYS = ['NO', 'SE', 'DK', 'FI'] as const
const DECIDING = { withinMilliseconds: 1_800_000, everyMilliseconds: 1_000 }

async function measure(havn: RunningHavn, plan: ExchangePlan): Promise<readonly string[]> {
  const { fxControlUrl, database } = havn
  await setCallLimit(fxControlUrl, plan.callsPerMinute)
  const order = await openOrders(havn)
  // The share of the signing time that is left when the user reaches the bank.
  const timeLeft: number[] = []
  for (let signer = 0; signer < plan.signers; signer += 1) {
    timeLeft.push(await timeLeftOf(havn, order))
  }
  await orderAll(order, plan)
  const openAtOnce = await count(havn, `select count(*) from fx_deals where state = 'booked'`)
  const begun = performance.now()
  // From now on the provider only receives cancellations of unsigned deals.
  const callsInAMinute = await busiestMinuteOf(fxControlUrl, async () => {
    await (plan.hurries && moveClock(havn.client, { advance: 'PT10M' }))
    await waitUntilNone(havn, `select count(*) from payments where status <> 'Cancelled'`)
    await pause(plan.undoingSeconds * 1000)
  })
  const { rows } = await database.pool.query<{ after: number }>(SELECT_DECIDED)
  const undone = await count(havn, `select count(*) from fx_deals where state = 'cancelled'`)
  const undoneWithin = ((performance.now() - begun) / 1000).toFixed(0)
  const decidedAfter = rows.map(({ after }) => after)
  const p95 = quantile(decidedAfter, 0.95).toFixed(0)
  const users = ` minimum of ${timeLeft.length} users`
  return [
    `Exchange, ${rows.length} unsigned deals, ${openAtOnce} of them open at once:`,
    line(
      'decided after the deadline',
      `p95 ${p95} ms, slowest ${atMost(quantile(decidedAfter, 1), 1_000, { unit: ' ms' })}`,
    ),
    line('cancelled at the provider', `${undone} within ${undoneWithin} s of the last order`),
    // The provider's usual limit.
    line('  calls to the provider', atMost(callsInAMinute, 500, { beside: ' in the busiest minute' })),
    line(
      'signing time left at the bank',
      atLeast(100 * quantile(timeLeft, 0), 90, { unit: ' %', decimals: 1, beside: users }),
    ),
  ]
}

/** At an even rate, with several in flight where the gateway takes longer. */
async function orderAll(order: Orders, { deals, atATime, perSecond }: ExchangePlan): Promise<void> {
  const turns = atEvenRate(deals, perSecond)
  const orderSome = async () => {
    for await (const _ of turns) {
      await order.initiate('later')
    }
  }
  await Promise.all(Array.from({ length: atATime }, orderSome))
}

/** From each deadline until the payment was cancelled, in milliseconds. */
const SELECT_DECIDED = `
  select (extract(epoch from min(h.at) - p.deadline_at) * 1000)::float as after
  from payments p join payment_history h on h.partner_id = p.partner_id and h.payment_id = p.id
  where h.status = 'Cancelled' and p.deadline_at is not null group by p.partner_id, p.id, p.deadline_at`

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
  if (
    (await waitUntil(
      () => count(havn, counting),
      (left) => left === 0,
      DECIDING,
    )) > 0
  ) {
    throw new Error(`There were still some after half an hour: ${counting}`)
  }
}

async function count({ database }: RunningHavn, counting: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(counting)
  return Number(rows[0]?.count)
}

const POLL_MILLISECONDS = 1_000
const POLLS_PER_MINUTE = 60

/** The calls in the busiest minute while a measurement runs; polled every second. */
async function busiestMinuteOf(fxUrl: string, something: () => Promise<unknown>): Promise<number> {
  const over = new AbortController()
  const totals = [await callsAt(fxUrl)]
  const watch = async () => {
    for await (const _ of setInterval(POLL_MILLISECONDS, undefined, { signal: over.signal })) {
      totals.push(await callsAt(fxUrl))
    }
  }
  const watching = watch().catch(() => undefined)
  try {
    await something()
    totals.push(await callsAt(fxUrl))
  } finally {
    over.abort()
    await watching
  }
  return Math.max(...totals.map((total, at) => total - (totals[Math.max(0, at - POLLS_PER_MINUTE)] ?? 0)))
}

/** From now on the provider accepts at most so many calls per minute. */
async function setCallLimit(fxUrl: string, perMinute: number): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${fxUrl}/control/limits`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ perMinute }),
  })
  if (!answer.ok) {
    throw new Error(`The provider rejected its rate limit: ${await answer.text()}`)
  }
}

async function callsAt(fxUrl: string): Promise<number> {
  const counts: unknown = await (await fetch(`${fxUrl}/control/calls`)).json()
  return Object.values(Object(counts)).reduce((sum: number, count) => sum + Number(count), 0)
}
