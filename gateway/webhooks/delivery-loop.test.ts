/** Guarantees of workers that deliver: at once, each delivery by one of them, and nobody waits for a slow endpoint. */
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type RunningSweeps, startSweeps } from '../foundation/sweeps.ts'
import { announceChange, demoPartnerId } from '../testing/announced.ts'
import { startWebhookGateway, type WebhookGateway } from '../testing/webhook-gateway.ts'
import { webhookSweeps } from './jobs.ts'

/** From the commit to the arrival, on a machine that runs other tests besides. */
const AT_ONCE_MILLISECONDS = 1_000
const LONG_BEFORE_A_LEASE_ENDS_MILLISECONDS = 10_000

let webhooks: WebhookGateway
let partnerId: string
let workers: RunningSweeps[] = []
beforeAll(async () => {
  webhooks = await startWebhookGateway({ origins: 3 })
  partnerId = await demoPartnerId(webhooks.gateway)
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  const { pool } = webhooks.gateway.context.database
  await pool.query('delete from webhook_deliveries')
  await pool.query('update webhook_subscriptions set enabled = false')
})
afterEach(async () => {
  for (const origin of webhooks.receiver.origins) {
    webhooks.receiver.behave((response) => response.writeHead(204).end(), origin)
  }
  await stopWorkers()
})

function startWorker(): void {
  const { context } = webhooks.gateway
  workers.push(startSweeps(webhookSweeps(context), context))
}

async function stopWorkers(): Promise<void> {
  const stopping = workers
  workers = []
  await Promise.all(stopping.map((worker) => worker.stop()))
}

const receivedOn = (path: string) => webhooks.receiver.received.filter((each) => each.path === path)
const announce = () => announceChange(webhooks.gateway, partnerId)

async function countBy(status: string): Promise<number> {
  const { rows } = await webhooks.gateway.context.database.pool.query<{ count: number }>(
    'select count(*)::int as count from webhook_deliveries where status = $1',
    [status],
  )
  return rows[0]?.count ?? 0
}

test('an event arrives at once', async () => {
  startWorker()
  await webhooks.subscribe('/at-once')
  await announce()
  await vi.waitFor(() => expect(receivedOn('/at-once')).toHaveLength(1), AT_ONCE_MILLISECONDS)
  await vi.waitFor(async () => expect(await countBy('Delivered')).toBe(1))
})

test('several workers share the work, and none makes a delivery that another has', async () => {
  await webhooks.subscribe('/shared')
  await Promise.all(Array.from({ length: 300 }, announce))
  for (let worker = 0; worker < 4; worker += 1) {
    startWorker()
  }
  await vi.waitFor(async () => expect(await countBy('Delivered')).toBe(300), 20_000)
  const ids = receivedOn('/shared').map(({ headers }) => headers['x-svc-webhook-id'])
  expect(ids).toHaveLength(300)
  expect(new Set(ids).size).toBe(300)
})

test('an endpoint that keeps silent delays neither another one nor later events there', async () => {
  const [silent = '', healthy = ''] = webhooks.receiver.origins
  const held: ServerResponse[] = []
  webhooks.receiver.behave((response) => void held.push(response), silent)
  await webhooks.subscribe('/silent', silent)
  await webhooks.subscribe('/healthy', healthy)
  startWorker()
  for (let number = 0; number < 40; number += 1) {
    await announce()
  }
  await vi.waitFor(() => expect(receivedOn('/healthy')).toHaveLength(40), 5_000)
  expect(held.length).toBeGreaterThan(0)
  expect(held.length).toBeLessThanOrEqual(32)
  webhooks.receiver.behave((response) => response.writeHead(204).end(), silent)
  for (const response of held) {
    response.writeHead(204).end()
  }
  await vi.waitFor(async () => expect(await countBy('Delivered')).toBe(80), 10_000)
})

test('a worker that is told to stop finishes what it has begun, and begins nothing more', async () => {
  const origin = webhooks.receiver.origins[2] ?? ''
  const held: ServerResponse[] = []
  webhooks.receiver.behave((response) => void held.push(response), origin)
  await webhooks.subscribe('/stopping', origin)
  startWorker()
  await announce()
  await vi.waitFor(() => expect(held).toHaveLength(1))
  const stopped = stopWorkers()
  await announce()
  held[0]?.writeHead(204).end()
  await stopped
  expect([await countBy('Delivered'), await countBy('Queued')]).toEqual([1, 1])
})

test('a worker that is told to stop gives back what has no turn yet, and others make it at once', async () => {
  const slow = webhooks.receiver.origins[2] ?? ''
  const held: ServerResponse[] = []
  await webhooks.subscribe('/given-back', slow)
  startWorker()
  // Of an origin that has shown to be quick, more is claimed than there are connections.
  for (let number = 0; number < 3; number += 1) {
    await announce()
  }
  await vi.waitFor(async () => expect(await countBy('Delivered')).toBe(3))
  webhooks.receiver.behave((response) => void held.push(response), slow)
  await Promise.all(Array.from({ length: 60 }, announce))
  await vi.waitFor(() => expect(held).toHaveLength(32))
  await vi.waitFor(async () => expect(await leased()).toBeGreaterThan(32))
  const stopped = stopWorkers()
  await vi.waitFor(async () => expect(await leased()).toBe(32))
  webhooks.receiver.behave((response) => response.writeHead(204).end(), slow)
  for (const response of held) {
    response.writeHead(204).end()
  }
  await stopped
  expect([await countBy('Delivered'), await leased()]).toEqual([3 + 32, 0])
  startWorker()
  await vi.waitFor(async () => expect(await countBy('Delivered')).toBe(3 + 60), LONG_BEFORE_A_LEASE_ENDS_MILLISECONDS)
  expect(receivedOn('/given-back')).toHaveLength(3 + 60)
})

async function leased(): Promise<number> {
  const { rows } = await webhooks.gateway.context.database.pool.query<{ count: number }>(
    'select count(*)::int as count from webhook_deliveries where ready and lease_until is not null',
  )
  return rows[0]?.count ?? 0
}

test('what a dead worker had claimed is delivered when its lease is over, and not before', async () => {
  const { database } = webhooks.gateway.context
  await webhooks.subscribe('/orphaned')
  await announce()
  const lease = (seconds: number) =>
    database.pool.query(`update webhook_deliveries set lease_until = now() + $1 * interval '1 second'`, [seconds])
  await lease(60)
  const [delivering] = webhookSweeps(webhooks.gateway.context)
  expect(await delivering?.run(50)).toBe(0)
  await lease(-1)
  expect(await delivering?.run(50)).toBe(1)
  expect(receivedOn('/orphaned')).toHaveLength(1)
})

test('a database that fails for a while stops no worker', async () => {
  const { pool } = webhooks.gateway.context.database
  await webhooks.subscribe('/after-failure')
  await pool.query('alter table webhook_deliveries rename to webhook_deliveries_away')
  startWorker()
  await vi.waitFor(() => expect(webhooks.gateway.logLines().join()).toContain('deliveries could not be claimed'))
  await pool.query('alter table webhook_deliveries_away rename to webhook_deliveries')
  await announce()
  await vi.waitFor(() => expect(receivedOn('/after-failure')).toHaveLength(1), 10_000)
})
