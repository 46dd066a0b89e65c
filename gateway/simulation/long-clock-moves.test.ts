/** Tests moves with many payments: banks are polled only about changes, and responses are in time. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../launcher/roles/compose-server.ts'
import { setClockMoveTarget } from '../platform/database/business-clock-store.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { freePorts } from '../testing/gateway/free-ports.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../testing/payments/sample-payments.ts'
import type { ClockMoveTimes } from './clock-moves.ts'

const PAYMENTS = 16
const DAYS_AHEAD = 30

let gateway: TestGateway
let bank: SandboxBankControl
let ids: readonly string[] = []
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  const consent = await acceptedConsent(gateway)
  const dueDate = gateway.context.clock.today('Europe/Oslo').add({ days: DAYS_AHEAD }).toString()
  ids = await Promise.all(
    Array.from({ length: PAYMENTS }, async () => {
      const body = domesticPayment(gateway, { dueDate })
      return (await gateway.client.initiateDomesticPayment({ ...consent, body })).paymentId
    }),
  )
})
afterAll(() => gateway.close())

const move = (advance: string) => gateway.client.moveSandboxClock({ body: { advance } })

async function bankReads(): Promise<number> {
  const { values } = await gateway.context.metrics.bankCalls.get()
  return values
    .filter((value) => 'metricName' in value && value.metricName?.endsWith('_count'))
    .filter(({ labels }) => labels.operation === 'getPaymentStatus')
    .reduce((total, { value }) => total + value, 0)
}

async function rowOf(id = '') {
  const { rows } = await gateway.context.database.pool.query<{
    status: string
    bankId: string
    statusAt: Temporal.Instant
    pollAt: Temporal.Instant
    pollStep: number
  }>(
    `select status, bank_payment_id as "bankId", status_at as "statusAt", poll_at as "pollAt", poll_step as "pollStep"
     from payments where id = $1`,
    [id],
  )
  const [row] = rows
  if (row === undefined) {
    throw new Error(`There is no payment ${id}`)
  }
  return row
}

/** A server of its own, as in another process. */
async function startServer(times: Partial<ClockMoveTimes> = {}) {
  const never = 3_600_000
  const server = await composeServer(gateway.context, {
    answerMilliseconds: 0,
    resumeEveryMilliseconds: never,
    ...times,
  })
  const [port = 0] = await freePorts(1)
  await server.listen({ host: '127.0.0.1', port })
  const headers = { authorization: `Bearer ${await gateway.token()}`, 'content-type': 'application/json' }
  const path = '/api/sandbox/clock'
  return {
    move: (advance: string) => server.inject({ method: 'POST', url: path, headers, payload: { advance } }),
    read: async () => (await server.inject({ method: 'GET', url: path, headers })).json(),
    close: () => server.close(),
  }
}

/** While it runs, no clock can be set at the sandbox bank, so that no move ends. */
async function withoutBankClock<Result>(work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: gateway.connectionString })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from sandbox_bank.clock for update')
    return await work()
  } finally {
    await client.end()
  }
}

describe('a long move', () => {
  it('calls the bank once at each stop, not for every payment, and records what the polls would have found', async () => {
    const before = await bankReads()
    await move('P2D')
    const reads = (await bankReads()) - before
    expect(reads).toBeGreaterThan(0)
    // Each payment is due a dozen times in two days.
    expect(reads).toBeLessThan(PAYMENTS * 4)
    const now = gateway.context.clock.now()
    for (const id of ids) {
      const { status, statusAt, pollAt, pollStep } = await rowOf(id)
      expect({ id, status }).toEqual({ id, status: 'Unsigned' })
      expect(pollStep).toBeGreaterThan(6)
      expect(now.since(statusAt).total('hours')).toBeLessThan(7)
      expect(pollAt.since(now).total('hours')).toBeGreaterThan(-0.5)
    }
  })

  it('polls what the bank has changed on its own', async () => {
    const { bankId } = await rowOf(ids[1])
    await bank.postControl(`/payments/${bankId}/status`, { transactionStatus: 'RJCT' })
    await move('PT8H')
    expect((await rowOf(ids[1])).status).toBe('Rejected')
    expect((await rowOf(ids[2])).status).toBe('Unsigned')
  })

  it('leaves every payment unpolled while the bank is unavailable, as polls would', async () => {
    await bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 500 })
    const before = (await rowOf(ids[3])).statusAt
    await move('PT7H')
    expect((await rowOf(ids[3])).statusAt).toEqual(before)
    await bank.clearFaults()
    await move('PT7H')
    expect((await rowOf(ids[3])).statusAt.since(before).total('hours')).toBeGreaterThan(1)
  })
})

describe('a move that takes longer than a response may', () => {
  it('continues after 202; the clock shows its target until it has ended, and no other move starts before', async () => {
    const server = await startServer()
    const target = await withoutBankClock(async () => {
      const first = await server.move('PT3H')
      expect(first.statusCode).toBe(202)
      const { movingTo } = first.json()
      expect(await server.read()).toMatchObject({ movingTo })
      const second = await server.move('PT1H')
      expect(second.statusCode).toBe(409)
      expect(second.json()).toMatchObject({ message: expect.stringContaining(movingTo) })
      return Temporal.Instant.from(movingTo)
    })
    await eventually(async () => expect(await server.read()).not.toHaveProperty('movingTo'))
    const { now } = await server.read()
    expect(Temporal.Instant.from(now).since(target).total('minutes')).toBeGreaterThanOrEqual(0)
    // The next move may start as soon as no program sees this one any more.
    expect((await server.move('PT1S')).statusCode).not.toBe(409)
    await eventually(async () => expect(await server.read()).not.toHaveProperty('movingTo'))
    await server.close()
  })

  it('continues at the next start when its process stops', async () => {
    const stopped = await startServer()
    const { movingTo, closing } = await withoutBankClock(async () => {
      const answer = await stopped.move('PT6H')
      // Resolves once the bank accepts its clock again.
      return { movingTo: answer.json().movingTo, closing: [stopped.close()] }
    })
    await Promise.all(closing)
    expect(gateway.context.clock.now().until(movingTo).total('hours')).toBeGreaterThan(1)
    const next = await startServer()
    await eventually(async () => expect(await next.read()).not.toHaveProperty('movingTo'))
    const { now } = await next.read()
    expect(Temporal.Instant.from(now).since(movingTo).total('minutes')).toBeGreaterThanOrEqual(0)
    expect((await bank.now()).since(now).total('minutes')).toBeCloseTo(0, 0)
    await next.close()
  })

  it('continues at the next start when its process was killed between two stops', async () => {
    const { database, clock } = gateway.context
    // As a killed process leaves it: the target is recorded, and no process holds the lease of the move.
    const target = clock.now().add({ hours: 6 })
    await setClockMoveTarget(database, target)
    const next = await startServer()
    await eventually(async () => expect(await next.read()).not.toHaveProperty('movingTo'))
    expect(clock.now().since(target).total('minutes')).toBeGreaterThanOrEqual(0)
    expect((await rowOf(ids[4])).pollAt.since(clock.now()).total('hours')).toBeGreaterThan(-0.5)
    await next.close()
  })

  it('continues in a process that started before the crash of the moving process was detected', async () => {
    const { database, clock } = gateway.context
    const dead = new pg.Client({ connectionString: gateway.connectionString })
    await dead.connect()
    await dead.query('begin')
    await dead.query('select 1 from business_clock_move_lock for update')
    const target = clock.now().add({ hours: 2 })
    await setClockMoveTarget(database, target)
    const next = await startServer({ resumeEveryMilliseconds: 50 })
    expect((await next.move('PT1H')).statusCode).toBe(409)
    await dead.end()
    await eventually(async () => expect(await next.read()).not.toHaveProperty('movingTo'))
    expect(clock.now().since(target).total('minutes')).toBeGreaterThanOrEqual(0)
    await next.close()
  })
})
