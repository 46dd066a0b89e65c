/** Tests the delivery loop: deliveries are sent at once, each by one worker, and none waits for a slow endpoint. */
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SweepRunner, startSweeps } from '../../platform/jobs/sweep-runner.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import {
  demoPartnerId,
  enqueueStatusChange,
  enqueueStatusChanges,
} from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import { webhookSweeps } from '../jobs.ts'
import { BEFORE_FIRST_QUEUE, claimReadyDeliveries, findReadyQueues } from '../store/delivery-claim-store.ts'
import { openDeliveryWorker } from './delivery-worker.ts'

let webhooks: WebhookGateway
let partnerId: string
let workers: SweepRunner[] = []
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
const announce = () => enqueueStatusChange(webhooks.gateway, partnerId)

async function countBy(status: string): Promise<number> {
  const { rows } = await webhooks.gateway.context.database.pool.query<{ count: number }>(
    'select count(*)::int as count from webhook_deliveries where status = $1',
    [status],
  )
  return rows[0]?.count ?? 0
}

/** How many undelivered deliveries are leased. */
async function countLeased(): Promise<number> {
  const { rowCount } = await webhooks.gateway.context.database.pool.query(
    `select 1 from webhook_deliveries where status = 'Queued' and lease_until is not null`,
  )
  return rowCount ?? 0
}

async function expireLeases(): Promise<void> {
  await webhooks.gateway.context.database.pool.query(
    `update webhook_deliveries set lease_until = now() - interval '1 second' where lease_until is not null`,
  )
}

test('an event arrives at once', async () => {
  startWorker()
  await webhooks.subscribe('/at-once')
  await announce()
  await eventually(() => expect(receivedOn('/at-once')).toHaveLength(1))
  await eventually(async () => expect(await countBy('Delivered')).toBe(1))
})

test('several workers share the work, and none sends a delivery that another has sent', async () => {
  await webhooks.subscribe('/shared')
  await enqueueStatusChanges(webhooks.gateway, partnerId, 60)
  for (let worker = 0; worker < 4; worker += 1) {
    startWorker()
  }
  await eventually(async () => expect(await countBy('Delivered')).toBe(60))
  const ids = receivedOn('/shared').map(({ headers }) => headers['x-svc-webhook-id'])
  expect(ids).toHaveLength(60)
  expect(new Set(ids).size).toBe(60)
})

test('deliveries for which a worker has no capacity are sent by another at once', async () => {
  const { context } = webhooks.gateway
  await webhooks.subscribe('/one')
  const [full, free] = [openDeliveryWorker(context), openDeliveryWorker(context)]
  const deliver = async (worker: typeof full, limit: number) => (await Promise.all(await worker.begin(limit))).length
  await announce()
  await announce()
  expect([await deliver(full, 1), await deliver(full, 0), await deliver(free, 10)]).toEqual([1, 0, 1])
})

test('an endpoint that does not answer delays neither others nor later events of its own', async () => {
  const [silent = '', healthy = ''] = webhooks.receiver.origins
  const held: ServerResponse[] = []
  webhooks.receiver.behave((response) => void held.push(response), silent)
  await webhooks.subscribe('/silent', silent)
  await webhooks.subscribe('/healthy', healthy)
  startWorker()
  for (let number = 0; number < 40; number += 1) {
    await announce()
  }
  await eventually(() => expect(receivedOn('/healthy')).toHaveLength(40))
  expect(held.length).toBeGreaterThan(0)
  expect(held.length).toBeLessThanOrEqual(32)
  webhooks.receiver.behave((response) => response.writeHead(204).end(), silent)
  for (const response of held) {
    response.writeHead(204).end()
  }
  await eventually(async () => expect(await countBy('Delivered')).toBe(80))
})

test('a worker whose origins are at their limits finds new deliveries of other origins', async () => {
  const [one = '', two = '', newer = ''] = webhooks.receiver.origins
  const held: ServerResponse[] = []
  for (const [index, origin] of [one, one, one, two, two, two].entries()) {
    await webhooks.subscribe(`/full-${index}`, origin)
  }
  startWorker()
  for (let number = 1; number <= 3; number += 1) {
    await announce()
    await eventually(async () => expect(await countBy('Delivered')).toBe(number * 6))
  }
  for (const origin of [one, two]) {
    webhooks.receiver.behave((response) => void held.push(response), origin)
  }
  // More at each origin than it may have in flight.
  await enqueueStatusChanges(webhooks.gateway, partnerId, 20)
  await eventually(() => expect(held).toHaveLength(64))
  await webhooks.subscribe('/newer', newer)
  await announce()
  await eventually(() => expect(receivedOn('/newer')).toHaveLength(1))
  for (const origin of [one, two]) {
    webhooks.receiver.behave((response) => response.writeHead(204).end(), origin)
  }
  for (const response of held) {
    response.writeHead(204).end()
  }
  await eventually(async () => expect(await countBy('Queued')).toBe(0))
})

test('a worker that stops completes its deliveries in flight, and claims no more', async () => {
  const origin = webhooks.receiver.origins[2] ?? ''
  const held: ServerResponse[] = []
  webhooks.receiver.behave((response) => void held.push(response), origin)
  await webhooks.subscribe('/stopping', origin)
  startWorker()
  await announce()
  await eventually(() => expect(held).toHaveLength(1))
  const stopped = stopWorkers()
  await announce()
  held[0]?.writeHead(204).end()
  await stopped
  expect([await countBy('Delivered'), await countBy('Queued')]).toEqual([1, 1])
})

test('a worker that is stopped while it looks for deliveries claims none', async () => {
  await webhooks.subscribe('/looking')
  await announce()
  const stopping = new AbortController()
  const begun = openDeliveryWorker(webhooks.gateway.context).begin(1, stopping.signal)
  stopping.abort()
  expect(await begun).toEqual([])
  expect([await countBy('Queued'), await countLeased()]).toEqual([1, 0])
})

test('a worker that stops leaves unclaimed deliveries, and the next one sends them at once', async () => {
  const slow = webhooks.receiver.origins[2] ?? ''
  const held: ServerResponse[] = []
  await webhooks.subscribe('/left', slow)
  startWorker()
  for (let number = 0; number < 3; number += 1) {
    await announce()
  }
  await eventually(async () => expect(await countBy('Delivered')).toBe(3))
  webhooks.receiver.behave((response) => void held.push(response), slow)
  await enqueueStatusChanges(webhooks.gateway, partnerId, 40)
  await eventually(() => expect(held).toHaveLength(32))
  const stopped = stopWorkers()
  webhooks.receiver.behave((response) => response.writeHead(204).end(), slow)
  for (const response of held) {
    response.writeHead(204).end()
  }
  await stopped
  expect(await countBy('Delivered')).toBe(3 + 32)
  expect(await countLeased()).toBe(0)
  startWorker()
  await eventually(async () => expect(await countBy('Delivered')).toBe(3 + 40))
  expect(receivedOn('/left')).toHaveLength(3 + 40)
})

test('while a stopping worker completes its deliveries in flight, another sends the rest', async () => {
  const [slow = '', quick = ''] = webhooks.receiver.origins
  const held: ServerResponse[] = []
  await webhooks.subscribe('/finishing', slow)
  await webhooks.subscribe('/meanwhile', quick)
  webhooks.receiver.behave((response) => void held.push(response), slow)
  startWorker()
  await announce()
  await eventually(() => expect([held.length, receivedOn('/meanwhile').length]).toEqual([1, 1]))
  const stopped = stopWorkers()
  startWorker()
  await announce()
  await eventually(() => expect(receivedOn('/meanwhile')).toHaveLength(2))
  webhooks.receiver.behave((response) => response.writeHead(204).end(), slow)
  for (const response of held) {
    response.writeHead(204).end()
  }
  await stopped
  await eventually(() => expect(receivedOn('/finishing')).toHaveLength(2))
})

test('the claims of a dead worker are sent once their lease has expired, and not before', async () => {
  const { database } = webhooks.gateway.context
  await webhooks.subscribe('/orphaned')
  await announce()
  const queues = await findReadyQueues(database, BEFORE_FIRST_QUEUE, 1)
  expect(
    await claimReadyDeliveries(
      database,
      queues.map((queue) => ({ ...queue, take: 1 })),
    ),
  ).toHaveLength(1)
  const [delivering] = webhookSweeps(webhooks.gateway.context)
  expect(await delivering?.run(50)).toBe(0)
  await expireLeases()
  expect(await delivering?.run(50)).toBe(1)
  expect(receivedOn('/orphaned')).toHaveLength(1)
})

test('a delivery whose lease expires during its attempt is repeated, and no event is lost', async () => {
  const origin = webhooks.receiver.origins[2] ?? ''
  const held: ServerResponse[] = []
  await webhooks.subscribe('/lost-lease', origin)
  webhooks.receiver.behave((response) => void held.push(response), origin)
  startWorker()
  await announce()
  await eventually(() => expect(held).toHaveLength(1))
  webhooks.receiver.behave((response) => response.writeHead(204).end(), origin)
  await expireLeases()
  await announce()
  await eventually(async () => expect(await countBy('Delivered')).toBe(2))
  held[0]?.writeHead(204).end()
  await stopWorkers()
  const ids = receivedOn('/lost-lease').map(({ headers }) => headers['x-svc-webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([3, 2])
})

test('a database that fails for a while stops no worker', async () => {
  const { pool } = webhooks.gateway.context.database
  await webhooks.subscribe('/after-failure')
  await pool.query('alter table webhook_deliveries rename to webhook_deliveries_away')
  startWorker()
  await eventually(() => expect(webhooks.gateway.logLines().join()).toContain('a sweep fails; it is retried'))
  await pool.query('alter table webhook_deliveries_away rename to webhook_deliveries')
  await announce()
  await eventually(() => expect(receivedOn('/after-failure')).toHaveLength(1))
})
