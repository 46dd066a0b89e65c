/** Guarantees of the order: what is about one payment arrives as it happened, whatever becomes of the workers that share the work. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartner } from '../../auth/create-partner.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueStatusChange } from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import { createSubscription } from '../subscriptions/create-subscription.ts'
import { type DeliveryWorker, openDeliveryWorker } from './delivery-worker.ts'

const RUNS = 40
const WORKERS = 3
const PAYMENTS = 3

type Act =
  | { readonly do: 'happen'; readonly payment: number; readonly times: number }
  | { readonly do: 'deliver'; readonly worker: number; readonly limit: number }
  | { readonly do: 'lose the lanes' | 'stop and start'; readonly worker: number }

const worker = fc.nat({ max: WORKERS - 1 })
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('happen' as const),
      payment: fc.nat({ max: PAYMENTS - 1 }),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('deliver' as const), worker, limit: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('lose the lanes' as const, 'stop and start' as const), worker }),
  },
)

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())

test('several workers that lose lanes, stop and start: each payment in its order, and everything arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 24 }), async (acts) => {
      const world = await openWorld()
      for (const each of acts) {
        await world.take(each)
      }
      await world.finish()
    }),
    { numRuns: RUNS },
  )
}, 120_000)

/** A partner of its own for each run, and workers whose deliveries are under way while other things happen. */
async function openWorld() {
  const { context } = webhooks.gateway
  const { partner } = await createPartner(context, 'test', { name: newId() })
  const path = `/order/${partner.id}`
  const body = { targetUrl: `${webhooks.receiver.origin}${path}`, eventTypes: ['PAYMENT_STATUS' as const] }
  await createSubscription(context, { partnerId: partner.id }, body)
  const payments = Array.from({ length: PAYMENTS }, () => newId())
  const happened = new Map<string, string[]>(payments.map((id) => [id, []]))
  const workers: DeliveryWorker[] = Array.from({ length: WORKERS }, () => openDeliveryWorker(context))
  const underWay: Promise<unknown>[] = []
  const at = <T>(list: readonly T[], index: number): T => {
    const found = list[index]
    if (found === undefined) {
      throw new Error(`There is no ${index}`)
    }
    return found
  }
  const take = async (asked: Act): Promise<void> => {
    if (asked.do === 'happen') {
      const paymentId = at(payments, asked.payment)
      for (let time = 0; time < asked.times; time += 1) {
        const { occurredAt } = await enqueueStatusChange(webhooks.gateway, partner.id, 'InProgress', {
          paymentId,
          occurredAt: context.clock.now().add({ milliseconds: happened.get(paymentId)?.length ?? 0 }),
        })
        happened.get(paymentId)?.push(occurredAt.toString())
      }
    } else if (asked.do === 'deliver') {
      underWay.push(...(await at(workers, asked.worker).begin(asked.limit)))
    } else if (asked.do === 'stop and start') {
      underWay.push(at(workers, asked.worker).stop())
      workers[asked.worker] = openDeliveryWorker(context)
    } else {
      // As when it stands still for longer than it may hold lanes, and somebody else asks for them.
      await context.database.pool.query(
        `update webhook_queue_leases set worker = gen_random_uuid(), lease_until = now() - interval '1 second'
         where partner_id = $1`,
        [partner.id],
      )
    }
  }
  const finish = async (): Promise<void> => {
    await Promise.all(underWay)
    await Promise.all(workers.map((each) => each.stop()))
    await context.database.pool.query('delete from webhook_queue_leases where partner_id = $1', [partner.id])
    const last = openDeliveryWorker(context)
    for (let begun: readonly unknown[] = [last]; begun.length > 0; ) {
      begun = await last.begin(100)
      await Promise.all(begun)
    }
    await last.releaseIdleQueues()
    const received = webhooks.receiver.received.filter((each) => each.path === path)
    const firstOf = new Map(received.toReversed().map((each) => [each.headers['x-svc-webhook-id'] ?? '', each]))
    const inOrder = received.filter((each) => firstOf.get(each.headers['x-svc-webhook-id'] ?? '') === each)
    const arrived = Map.groupBy(
      inOrder.map(
        ({ body: text }) => JSON.parse(text.toString()) as { occurredAt: string; data: { paymentId: string } },
      ),
      ({ data }) => data.paymentId,
    )
    for (const [paymentId, times] of happened) {
      const seen = (arrived.get(paymentId) ?? []).map(({ occurredAt }) => occurredAt)
      expect(seen).toHaveLength(times.length)
      expect(seen).toEqual(seen.toSorted((one, other) => Temporal.Instant.compare(one, other)))
    }
  }
  return { take, finish }
}
