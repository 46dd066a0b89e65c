/** Submits many orders concurrently to a bank with all kinds of faults, and compares our data with the bank's. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/bank/faults.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../testing/payments/sample-payments.ts'

/** `HAVN_TORTURE_ROUNDS=500 npm run vitest gateway/journeys/fault-injection-load.test.ts` is the long form. */
const ROUNDS = Number(process.env['HAVN_TORTURE_ROUNDS'] ?? 2)
const ORDERS_A_ROUND = 12
const SEED = Number(process.env['HAVN_TORTURE_SEED'] ?? 20_261_121)
const ROUND_MILLISECONDS = 10_000
const STORED_ANSWERS = new Set([200, 409])

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { HAVN_BANK_ANSWER_TIMEOUT_SECONDS: '1' } })
  const { consentId } = await acceptedConsent(gateway)
  headers = await validHeaders(gateway, consentId)
})
afterAll(() => gateway.close())

const FAULTS: readonly Omit<Fault, 'bank' | 'operation'>[] = [
  { effect: 'withhold-answer', times: 1 },
  { effect: 'drop-connection', times: 2 },
  { effect: 'slow', milliseconds: 150, times: 3 },
  { effect: 'slow', milliseconds: 1_300, times: 1 },
  { effect: 'status', status: 500, times: 1 },
  { effect: 'status', status: 400, times: 1 },
  { effect: 'drop-request', times: 2 },
]

/** A small random number generator (mulberry32): a failing run can be repeated by its seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Row = {
  readonly id: string
  readonly outcome: string
  readonly requestId: string
  readonly bankPaymentId: string | null
}

async function rows(): Promise<readonly Row[]> {
  const answer = await gateway.context.database.pool.query<Row>(
    `select id, outcome, bank_request_id as "requestId", bank_payment_id as "bankPaymentId" from payments`,
  )
  return answer.rows
}

/** Every order is sent one to four times at once, under its key or without one. */
async function round(random: (below: number) => number): Promise<ReadonlyMap<string, readonly Answer[]>> {
  for (let count = 0; count < 4; count += 1) {
    const fault = FAULTS[random(FAULTS.length)]
    if (fault !== undefined) {
      await openSandboxBankControl(gateway.bank).injectFault({ operation: 'initiatePayment', ...fault })
    }
  }
  const orders = Array.from({ length: ORDERS_A_ROUND }, async (): Promise<[string, readonly Answer[]]> => {
    const body = domesticPayment(gateway)
    const key = random(4) === 0 ? undefined : crypto.randomUUID()
    const withKey = { headers: { ...headers, 'idempotency-key': key }, body }
    const times = Array.from({ length: 1 + random(4) })
    const first = await Promise.all(times.map(() => sendRawRequest(gateway, ['POST', '/api/v2/payments'], withKey)))
    const again = key === undefined ? [] : [await sendRawRequest(gateway, ['POST', '/api/v2/payments'], withKey)]
    return [key ?? `none ${body.metadata.endToEndId}`, [...first, ...again]]
  })
  const answers = new Map(await Promise.all(orders))
  await openSandboxBankControl(gateway.bank).clearFaults()
  return answers
}

test(
  'no order exists twice at the bank or is unknown to us, and no key leads to two payments',
  async () => {
    const random = randomFrom(SEED)
    const answers = new Map<string, readonly Answer[]>()
    for (let count = 0; count < ROUNDS; count += 1) {
      for (const [key, given] of await round(random)) {
        answers.set(key, given)
      }
    }
    const ours = await rows()
    const theirs = await openSandboxBankControl(gateway.bank).payments()
    const seed = `seed ${SEED}`

    const byRequest = Map.groupBy(theirs, ({ requestId }) => requestId)
    expect(
      [...byRequest.values()].filter(({ length }) => length > 1),
      seed,
    ).toEqual([])
    const requested = new Set(ours.map(({ requestId }) => requestId))
    expect(
      theirs.filter(({ requestId }) => !requested.has(requestId)),
      seed,
    ).toEqual([])

    const known = ours.filter(({ outcome }) => outcome === 'known')
    expect(known.length, seed).toBeGreaterThan(0)
    expect(ours.filter(({ outcome }) => outcome === 'unknown').length, seed).toBeGreaterThan(0)
    expect(
      ours.filter(({ outcome }) => outcome !== 'known' && outcome !== 'unknown'),
      seed,
    ).toEqual([])
    const held = new Map(theirs.map(({ paymentId, requestId }) => [paymentId, requestId]))
    expect(
      known.filter(({ bankPaymentId, requestId }) => held.get(bankPaymentId ?? '') !== requestId),
      seed,
    ).toEqual([])

    for (const [key, given] of answers) {
      const named = given.flatMap(({ status, body }) =>
        status === 200 || status === 503 ? (Object(body).paymentId ?? []) : [],
      )
      const distinct = new Set(named)
      expect(key.startsWith('none') || distinct.size <= 1, `${seed}, key ${key}`).toBe(true)
      expect(
        given.filter(({ status }) => status >= 500 && status !== 503),
        seed,
      ).toEqual([])
      const last = given.at(-1)
      expect(
        distinct.size === 0 || key.startsWith('none') || STORED_ANSWERS.has(last?.status ?? 0),
        `${seed}, key ${key}`,
      ).toBe(true)
    }
  },
  ROUNDS * ROUND_MILLISECONDS,
)
