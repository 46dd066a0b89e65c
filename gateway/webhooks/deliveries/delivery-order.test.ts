/** Tests the order: events of one payment arrive in order, whatever happens to the workers. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { createPartner } from '../../auth/create-partner.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueStatusChange } from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import { createSubscription } from '../subscriptions/create-subscription.ts'
import { type DeliveryWorker, openDeliveryWorker } from './delivery-worker.ts'

const RUNS = randomCases(100)
const WORKERS = 3
const PAYMENTS = 3

type Step =
  | { readonly do: 'enqueue'; readonly payment: number; readonly times: number }
  | { readonly do: 'deliver'; readonly worker: number; readonly limit: number }
  | { readonly do: 'restart'; readonly worker: number }
  | { readonly do: 'expire the leases' }

const worker = fc.nat({ max: WORKERS - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      payment: fc.nat({ max: PAYMENTS - 1 }),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('deliver' as const), worker, limit: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire the leases' as const) }) },
)

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())

test('several workers whose leases expire and which restart: each payment in its order, and every event arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
      const fixture = await openFixture()
      for (const each of steps) {
        await fixture.take(each)
      }
      await fixture.finish()
    }),
    { numRuns: RUNS },
  )
}, 120_000)

/** A new partner for each run, and workers whose deliveries are in flight during the steps. */
async function openFixture() {
  const { context } = webhooks.gateway
  const { partner } = await createPartner(context, 'test', { name: newId() })
  const path = `/order/${partner.id}`
  const body = { targetUrl: `${webhooks.receiver.origin}${path}`, eventTypes: ['PAYMENT_STATUS' as const] }
  await createSubscription(context, { partnerId: partner.id }, body)
  const payments = Array.from({ length: PAYMENTS }, () => newId())
  const enqueued = new Map<string, string[]>(payments.map((id) => [id, []]))
  const workers: DeliveryWorker[] = Array.from({ length: WORKERS }, () => openDeliveryWorker(context))
  const inFlight: Promise<unknown>[] = []
  const at = <T>(list: readonly T[], index: number): T => {
    const found = list[index]
    if (found === undefined) {
      throw new Error(`There is no ${index}`)
    }
    return found
  }
  // As when a worker stands still for longer than its leases last.
  const expireLeases = async () =>
    await context.database.pool.query(
      `update webhook_deliveries set lease_until = now() - interval '1 second'
       where partner_id = $1 and lease_until is not null`,
      [partner.id],
    )
  const take = async (requested: Step): Promise<void> => {
    if (requested.do === 'enqueue') {
      const paymentId = at(payments, requested.payment)
      for (let time = 0; time < requested.times; time += 1) {
        const { occurredAt } = await enqueueStatusChange(webhooks.gateway, partner.id, 'InProgress', {
          paymentId,
          occurredAt: context.clock.now().add({ milliseconds: enqueued.get(paymentId)?.length ?? 0 }),
        })
        enqueued.get(paymentId)?.push(occurredAt.toString())
      }
    } else if (requested.do === 'deliver') {
      inFlight.push(...(await at(workers, requested.worker).begin(requested.limit)))
    } else if (requested.do === 'restart') {
      inFlight.push(at(workers, requested.worker).ended())
      workers[requested.worker] = openDeliveryWorker(context)
    } else {
      await expireLeases()
    }
  }
  const finish = async (): Promise<void> => {
    await Promise.all(inFlight)
    await expireLeases()
    const last = openDeliveryWorker(context)
    for (let begun: readonly unknown[] = [last]; begun.length > 0; ) {
      begun = await last.begin(100)
      await Promise.all(begun)
    }
    const received = webhooks.receiver.received.filter((each) => each.path === path)
    const firstOf = new Map(received.toReversed().map((each) => [each.headers['x-svc-webhook-id'] ?? '', each]))
    const inOrder = received.filter((each) => firstOf.get(each.headers['x-svc-webhook-id'] ?? '') === each)
    const arrived = Map.groupBy(
      inOrder.map(
        ({ body: text }) => JSON.parse(text.toString()) as { occurredAt: string; data: { paymentId: string } },
      ),
      ({ data }) => data.paymentId,
    )
    for (const [paymentId, times] of enqueued) {
      const seen = (arrived.get(paymentId) ?? []).map(({ occurredAt }) => occurredAt)
      expect(seen).toHaveLength(times.length)
      expect(seen).toEqual(seen.toSorted((one, other) => Temporal.Instant.compare(one, other)))
    }
  }
  return { take, finish }
}
