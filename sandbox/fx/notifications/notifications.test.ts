/** Tests push notifications: their content, their signature, and retries until they are acknowledged. */
import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestFxProvider, type TestFxProvider } from '../../testing/test-fx-provider.ts'

type Arrived = { readonly digest: string; readonly body: string; readonly type: string }

const MORNING = '2027-03-02T09:00:00Z'
const KEY = 'havn-sandbox-fx-notice-key'

let fx: TestFxProvider
let server: Server
let arrived: Arrived[] = []
let rejects = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const digest = String(request.headers['x-hmac-digest-sha-512'])
      arrived.push({ digest, body, type: Object(JSON.parse(body)).header.notification_type })
      rejects -= 1
      response.writeHead(rejects >= 0 ? 500 : 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  fx = await startTestFxProvider({ noticeUrl: `http://127.0.0.1:${port}/notices` })
})
afterAll(async () => {
  await fx.close()
  server.close()
})
beforeEach(async () => {
  await fx.control('/faults', undefined, 'DELETE')
  await fx.moveTo(MORNING)
  arrived = []
  rejects = 0
})

async function book(code: string): Promise<{ id: string; cost: string }> {
  const { body } = await fx.post('/conversions/create', {
    buy_currency: 'EUR',
    sell_currency: 'NOK',
    fixed_side: 'buy',
    amount: '100.00',
    term_agreement: 'true',
    reason: code,
    unique_request_id: randomUUID(),
  })
  return { id: String(body['id']), cost: String(body['client_sell_amount']) }
}

/**
 * Waits for the first attempts, which need no move of the clock: setting it to the time that it had at the beginning of
 * the call would set it back, and what was attempted meanwhile would be repeated later.
 */
async function firstAttempts(): Promise<void> {
  await expect
    .poll(async () => await fx.control('/notices'))
    .not.toContainEqual(expect.objectContaining({ attempts: 0 }))
}

/** Lets a second of business time pass, and processes everything due. */
async function tick(seconds: number): Promise<void> {
  const { now } = Object(await fx.control('/clock'))
  await fx.moveTo(
    Temporal.Instant.from(now)
      .add({ milliseconds: seconds * 1000 })
      .toString(),
  )
}

const typesSince = () => arrived.map(({ type }) => type)

describe('a notification', () => {
  test('reports each status of a deal, in order', async () => {
    const { id, cost } = await book('HVNTOLD000001')
    await fx.control('/arrivals', { iban: 'NO3380590100009', amount: cost, reference: 'HVNTOLD000001' })
    await fx.moveTo('2027-03-04T12:00:00Z')
    const paid = await fx.post('/beneficiaries/create', {
      name: 'Muster',
      bank_account_holder_name: 'Muster',
      bank_country: 'DE',
      currency: 'EUR',
      iban: 'DE89370400440532013000',
      beneficiary_city: 'Köln',
    })
    await fx.post('/payments/create', {
      currency: 'EUR',
      beneficiary_id: String(paid.body['id']),
      amount: '100.00',
      conversion_id: id,
      reason: 'Invoice',
      reference: 'Invoice',
      unique_request_id: randomUUID(),
    })
    await tick(60)
    await tick(60)
    expect(typesSince()).toEqual([
      'cash_manager_trade_notification',
      'cash_manager_transaction_notification',
      'funds_arrived_notification',
      'trade_settled_notification',
      'payment_ready_to_send_notification',
      'payment_released_notification',
      'trade_closed_notification',
    ])
    const [, funds, , settled] = arrived.map(({ body }) => Object(JSON.parse(body)))
    expect(funds.body).toMatchObject({ related_entity_type: 'inbound_funds', amount: cost, status: 'completed' })
    expect(settled).toMatchObject({ header: { message_type: 'conversion' }, body: { id, status: 'trade_settled' } })
  })

  test('is signed with the agreed key, over the body as it is sent', async () => {
    await book('HVNSIGNED0001')
    await tick(1)
    const [{ digest, body } = { digest: '', body: '' }] = arrived
    expect(digest).toBe(createHmac('sha512', KEY).update(body).digest('hex'))
  })

  test('is repeated after 1, 2, 4, 8 and 16 seconds, and then no more', async () => {
    rejects = 100
    await book('HVNAGAIN00001')
    await firstAttempts()
    const counts = [arrived.length]
    for (const seconds of [1, 2, 4, 8, 16, 32, 600]) {
      await tick(seconds - 0.5)
      const early = arrived.length
      await tick(0.5)
      counts.push(arrived.length - early)
    }
    expect(counts).toEqual([1, 1, 1, 1, 1, 1, 0, 0])
    expect(await fx.control('/notices')).toContainEqual(expect.objectContaining({ status: 'failed', attempts: 6 }))
  })

  test('is not repeated once it was accepted', async () => {
    rejects = 2
    await book('HVNTAKEN00001')
    await firstAttempts()
    for (const seconds of [1, 2, 4, 8]) {
      await tick(seconds)
    }
    expect(arrived).toHaveLength(3)
  })

  test('can be lost or forged', async () => {
    await fx.control('/faults', { effect: 'notice-lost', times: 1 })
    await book('HVNLOST000001')
    await firstAttempts()
    expect(arrived).toHaveLength(0)
    await fx.control('/faults', { effect: 'notice-forged', times: 1 })
    await tick(1)
    const [{ digest, body } = { digest: '', body: '' }] = arrived
    expect(digest).toMatch(/^[0-9a-f]{128}$/)
    expect(digest).not.toBe(createHmac('sha512', KEY).update(body).digest('hex'))
  })
})

describe('after a restart', () => {
  test('books, clock and pending notifications are as they were', async () => {
    rejects = 1
    const { id } = await book('HVNAFTER00001')
    await firstAttempts()
    await fx.restart()
    expect((await fx.get(`/conversions/${id}`)).body).toMatchObject({ id, status: 'awaiting_funds' })
    const { now } = Object(await fx.control('/clock'))
    expect(Temporal.Instant.from(now).since(Temporal.Instant.from(MORNING)).total('minutes')).toBeLessThan(5)
    await tick(2)
    expect(arrived).toHaveLength(2)
  })
})
