/** Tests faults of the gateway itself, and metrics: no delivery is retried for ever without a trace. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { demoPartnerId, enqueueStatusChange } from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import type { ClaimedDelivery } from '../store/delivery.ts'
import { BEFORE_FIRST_QUEUE, claimReadyDeliveries, findReadyQueues } from '../store/delivery-claim-store.ts'
import { openDeliveryAttempts } from './delivery-attempts.ts'
import { openDeliveryMetrics } from './delivery-metrics.ts'

let webhooks: WebhookGateway
let partnerId: string
beforeAll(async () => {
  webhooks = await startWebhookGateway()
  partnerId = await demoPartnerId(webhooks.gateway)
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  webhooks.receiver.behave((response) => response.writeHead(204).end())
  const { pool } = webhooks.gateway.context.database
  await pool.query('update webhook_subscriptions set enabled = false')
  await pool.query('delete from webhook_deliveries')
})

const client = () => webhooks.gateway.client
const announce = () => enqueueStatusChange(webhooks.gateway, partnerId)

type Measure = { get(): Promise<{ values: readonly { value: number; labels: object; metricName?: string }[] }> }

/** The value of a metric of the gateway, of one outcome if it has that label. */
async function measured(measure: Measure, outcome?: string): Promise<number> {
  const { values } = await measure.get()
  const wanted = values.filter(
    ({ labels, metricName }) =>
      (metricName === undefined || metricName.endsWith('_count')) &&
      (outcome === undefined || ('outcome' in labels && labels.outcome === outcome)),
  )
  return wanted.reduce((sum, { value }) => sum + value, 0)
}
const metrics = (): Metrics => webhooks.gateway.context.metrics

async function theOnly(id: string) {
  const { deliveries } = await client().listWebhookDeliveries({ params: { id } })
  expect(deliveries).toHaveLength(1)
  return await client().getWebhookDelivery({ params: { id, deliveryId: deliveries[0]?.id ?? '' } })
}

async function spoilSecret(id: string): Promise<void> {
  await webhooks.gateway.context.database.pool.query(
    `update webhook_endpoints set signing_secret_sealed = '\\x00' where subscription_id = $1`,
    [id],
  )
}

test('a fault of our own spends none of the six attempts: the delivery is put back, and made once the cause is gone', async () => {
  const { id } = await webhooks.subscribe('/spoilt')
  const { pool } = webhooks.gateway.context.database
  const sealed = 'select signing_secret_sealed as sealed from webhook_endpoints where subscription_id = $1'
  const [stored] = (await pool.query<{ sealed: Buffer }>(sealed, [id])).rows
  await spoilSecret(id)
  const faults = await measured(metrics().webhookInternalErrors)
  const { paymentId } = await announce()
  await webhooks.gateway.sweep()
  expect(await theOnly(id)).toMatchObject({ status: 'Queued', attemptsMade: 0, attempts: [] })
  await client().moveSandboxClock({ body: { advance: 'PT30H' } })
  const waiting = await theOnly(id)
  expect(waiting).toMatchObject({ status: 'Queued', attemptsMade: 0, attempts: [] })
  expect(await measured(metrics().webhookInternalErrors)).toBeGreaterThan(faults + 6)
  expect(webhooks.receiver.received.filter(({ path }) => path === '/spoilt')).toEqual([])
  const logged = webhooks.gateway.logLines().filter((line) => line.includes(waiting.id) && line.includes('failed;'))
  expect(logged).toHaveLength(1)
  expect(logged.join()).not.toContain(paymentId)
  await pool.query('update webhook_endpoints set signing_secret_sealed = $2 where subscription_id = $1', [
    id,
    stored?.sealed,
  ])
  await client().moveSandboxClock({ body: { advance: 'P1D' } })
  expect(await theOnly(id)).toMatchObject({ status: 'Delivered', attemptsMade: 1 })
  await client().moveSandboxClock({ body: { reset: true } })
})

test('a test whose secret cannot be decrypted reports that within the request', async () => {
  const { id } = await webhooks.subscribe('/spoilt-test')
  await spoilSecret(id)
  expect(await client().testWebhookSubscription({ params: { id } })).toMatchObject({
    succeeded: false,
    error: expect.stringContaining('Havn could not send'),
  })
})

test('an attempt is counted once, and not by a worker whose outcome came too late', async () => {
  await webhooks.subscribe('/measured')
  await announce()
  const { context } = webhooks.gateway
  const delivered = () => measured(metrics().webhookAttempts, 'Delivered')
  const before = await delivered()
  const claimed = await claimOne(context)
  const [one, other] = [openDeliveryAttempts(context), openDeliveryAttempts(context)]
  const made = await Promise.all([one.post(claimed), other.post(claimed)])
  await one.record(claimed, made[0])
  await other.record(claimed, made[1])
  expect(await delivered()).toBe(before + 1)
})

test('a delivery to a forbidden destination is counted as given up', async () => {
  const body = { targetUrl: 'https://10.1.2.3/hooks', eventTypes: ['PAYMENT_STATUS' as const] }
  await client().createWebhookSubscription({ body })
  const before = await measured(metrics().failedWebhookDeliveries, 'Refused')
  await announce()
  await webhooks.gateway.sweep()
  expect(await measured(metrics().failedWebhookDeliveries, 'Refused')).toBe(before + 1)
})

test('metrics show how many deliveries are ready and since when, and zero when none is', async () => {
  const { context } = webhooks.gateway
  await webhooks.subscribe('/ready')
  await announce()
  await announce()
  await context.database.pool.query(`update webhook_deliveries set due_at = due_at - interval '90 seconds'`)
  await openDeliveryMetrics(context)()
  expect(await measured(metrics().webhookDeliveriesReady)).toBe(2)
  expect(await measured(metrics().webhookOldestReadyDelivery)).toBeGreaterThanOrEqual(90)
  expect(await measured(metrics().webhookOldestReadyDelivery)).toBeLessThan(120)
  await webhooks.gateway.sweep()
  await openDeliveryMetrics(context)()
  expect([
    await measured(metrics().webhookDeliveriesReady),
    await measured(metrics().webhookOldestReadyDelivery),
  ]).toEqual([0, 0])
})

test('an outcome that is recorded after a reset of the clock is retried by the new time', async () => {
  const { id } = await webhooks.subscribe('/late-outcome')
  const { context } = webhooks.gateway
  await client().moveSandboxClock({ body: { advance: 'P1D' } })
  webhooks.receiver.behave((response) => response.writeHead(503).end())
  await announce()
  const claimed = await claimOne(context)
  // A worker of another process reads the clock before each look only, and has not looked since.
  const worker = { ...context, clock: { ...context.clock, ...stoppedAt(context.clock.offsetMilliseconds()) } }
  const attempts = openDeliveryAttempts(worker)
  const made = await attempts.post(claimed)
  await client().moveSandboxClock({ body: { reset: true } })
  await attempts.record(claimed, made)
  const { nextAttemptAt } = await theOnly(id)
  const minutes = Temporal.Instant.from(nextAttemptAt ?? '')
    .since(context.clock.now())
    .total('minutes')
  expect(minutes).toBeGreaterThan(0)
  expect(minutes).toBeLessThanOrEqual(1)

  function stoppedAt(offset: number) {
    return {
      now: () => context.clock.real().add({ milliseconds: offset }),
      offsetMilliseconds: () => offset,
    }
  }
})

async function claimOne({ database }: Context): Promise<ClaimedDelivery> {
  const [queue] = await findReadyQueues(database, BEFORE_FIRST_QUEUE, 1)
  const [claimed] = await claimReadyDeliveries(database, queue === undefined ? [] : [{ ...queue, take: 1 }])
  if (claimed === undefined) {
    throw new Error('No delivery was claimed')
  }
  return claimed
}
