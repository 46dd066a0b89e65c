/** Tests which deliveries are made: those of one payment in order, whatever happens to workers, and none to a disabled partner. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { createPartner } from '../../auth/create-partner.ts'
import { listPartnersWithClients } from '../../auth/list-partners.ts'
import { revokePartnerAccess } from '../../auth/revoke-partner-access.ts'
import { setBusinessTime } from '../../platform/database/business-clock-store.ts'
import { newId } from '../../platform/ids.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { enqueueStatusChange } from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import { webhookSweeps } from '../jobs.ts'
import { createSubscription } from '../subscriptions/create-subscription.ts'
import { type DeliveryWorker, openDeliveryWorker } from './delivery-worker.ts'
import { listRecentDeliveries } from './list-webhook-deliveries.ts'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())

describe('events of one payment', () => {
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
})

describe('a partner that operators have disabled', () => {
  test('a queued delivery of a disabled partner is not sent, follows the schedule and ends with the reason', async () => {
    const { context } = webhooks.gateway
    webhooks.receiver.behave((response) => response.writeHead(204).end())
    const { client, credentials } = await webhooks.gateway.otherPartner()
    const body = { targetUrl: `${webhooks.receiver.origin}/shut-out`, eventTypes: ['PAYMENT_STATUS' as const] }
    const { id } = await client.createWebhookSubscription({ body })
    const served = await webhooks.subscribe('/served')
    const partners = await listPartnersWithClients(context)
    const whose = (clientId: string) =>
      partners.find(({ clients }) => clients.some((each) => each.clientId === clientId))?.partner
    const [partner, demo] = [whose(credentials.clientId), whose('demo-partner')]
    if (partner === undefined || demo === undefined) {
      throw new Error('The partners are not there')
    }
    await enqueueStatusChange(webhooks.gateway, partner.id)
    await revokePartnerAccess(context, 'test', partner)
    await enqueueStatusChange(webhooks.gateway, partner.id)
    await enqueueStatusChange(webhooks.gateway, demo.id)

    // A worker that begins now knows at once; one at work within five seconds.
    const sweeps = webhookSweeps(context)
    await runSweepsUntilIdle(sweeps)
    const log = async () => await listRecentDeliveries(context, { partnerId: partner.id, id }, {}, 10)
    const lastError = 'The partner is disabled; the endpoint was not called'
    const waiting = { status: 'Queued', attemptsMade: 1, lastError, nextAttemptAt: expect.any(String) }
    expect(await log()).toMatchObject([waiting, waiting])

    for (let hour = 0; hour < 30; hour += 1) {
      await setBusinessTime(context.database, context.clock, context.clock.now().add({ hours: 1 }))
      await runSweepsUntilIdle(sweeps)
    }
    const ended = { status: 'Failed', attemptsMade: 6, lastError, nextAttemptAt: null }
    expect(await log()).toMatchObject([ended, ended])
    const paths = [served.targetUrl, body.targetUrl].map((url) => new URL(url).pathname)
    const called = webhooks.receiver.received.map(({ path }) => path).filter((path) => paths.includes(path))
    expect(called).toEqual(paths.slice(0, 1))
  })
})
