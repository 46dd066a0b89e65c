/** Tests the invariant of deliveries: each event goes to exactly the subscriptions that select it. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { paymentEventTypes } from '../../../contract/webhooks/event-types.ts'
import { ALL_PAYMENT_EVENTS, type WebhookSelection } from '../../../contract/webhooks/webhook-subscriptions.ts'
import { randomCases } from '../../../setup/random-cases.ts'
import { createPartner } from '../../auth/create-partner.ts'
import { setBusinessTime } from '../../platform/database/business-clock-store.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { enqueueStatusChange } from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import { isSignedWith, type Received } from '../../testing/webhooks/webhook-receiver.ts'
import { openDeliveryAttempts } from '../deliveries/delivery-attempts.ts'
import { webhookSweeps } from '../jobs.ts'
import { BEFORE_FIRST_QUEUE, claimReadyDeliveries, findReadyQueues } from '../store/delivery-claim-store.ts'
import { disableSubscription, rotateSigningSecret, updateSubscription } from '../subscriptions/change-subscription.ts'
import { createSubscription } from '../subscriptions/create-subscription.ts'
import { enqueueEvent } from './enqueue-event.ts'

const RUNS = randomCases(200)
const STEPS_MAX = 24
/** Events are written as fast as possible until it is seen that there are enough. */
const EVENTS_POLL_MILLISECONDS = 10
/** The time after which every retry has been made. */
const SCHEDULE_MINUTES = 600
const STATUSES = Object.keys(paymentEventTypes) as PaymentStatusValue[]
const TYPES: readonly WebhookSelection[] = [ALL_PAYMENT_EVENTS, ...Object.values(paymentEventTypes)]

type Step =
  | { readonly do: 'event' | 'event that is rolled back'; readonly status: PaymentStatusValue }
  | { readonly do: 'subscribe'; readonly types: readonly WebhookSelection[] }
  | { readonly do: 'update'; readonly which: number; readonly types: readonly WebhookSelection[] }
  | { readonly do: 'disable' | 'rotate the secret'; readonly which: number }
  | { readonly do: 'deliver' | 'deliver in vain' | 'take and die' | 'deliver and die' | 'wait' }

type Subscribed = { id: string; types: readonly WebhookSelection[]; enabled: boolean; path: string; secret: string }
/** An expected delivery: its event, subscription, URL and secret. */
type Expected = { readonly id: string; readonly paymentId: string; readonly path: string; readonly secret: string }
type DeliveryRow = {
  readonly pair: string
  readonly id: string
  readonly eventId: string
  readonly status: string
  readonly attempts: number
}

const types = fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 })
const status = fc.constantFrom(...STATUSES)
const which = fc.nat({ max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('event' as const), status }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('event that is rolled back' as const), status }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('subscribe' as const), types }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update' as const), which, types }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('disable' as const, 'rotate the secret' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('deliver', 'deliver in vain', 'take and die', 'deliver and die', 'wait'),
    }),
  },
)

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())

test('any interleaving of events, changes, crashes and retries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: STEPS_MAX }), async (steps) => {
      const fixture = await openFixture()
      for (const each of steps) {
        await fixture.take(each)
      }
      await fixture.finish()
    }),
    { numRuns: RUNS },
  )
}, 180_000)

/** A partner of its own for each run, a model of its expected deliveries, and the real ones. */
async function openFixture() {
  const { context } = webhooks.gateway
  const { database, clock } = context
  const { partner } = await createPartner(context, 'test', { name: newId() })
  const caller = { partnerId: partner.id }
  const subscriptions: Subscribed[] = []
  const expected: Expected[] = []
  let targets = 0
  const below = `/of/${partner.id}/`
  /** Every version of every endpoint has a path of its own, so that a delivery shows for which version it was made. */
  const newTarget = () => {
    targets += 1
    const path = `${below}${targets}`
    return { path, targetUrl: `${webhooks.receiver.origin}${path}` }
  }
  const sweeps = webhookSweeps(context).filter(({ time }) => time === 'business')
  const at = (index: number) => subscriptions[index % Math.max(subscriptions.length, 1)]
  const answerWith = (code: number) => webhooks.receiver.behave((response) => response.writeHead(code).end())
  const deliver = async (code: number) => {
    answerWith(code)
    await runSweepsUntilIdle(sweeps)
  }
  const advance = (minutes: number) => setBusinessTime(database, clock, clock.now().add({ minutes }))
  const dieWith = async (isSent: boolean) => {
    const queues = await findReadyQueues(database, BEFORE_FIRST_QUEUE, 100)
    const claimed = await claimReadyDeliveries(
      database,
      queues.map((queue) => ({ ...queue, take: 2 })),
    )
    answerWith(200)
    const attempts = openDeliveryAttempts(context)
    await Promise.all(isSent ? claimed.map((delivery) => attempts.post(delivery)) : [])
    await database.pool.query(
      `update webhook_deliveries set lease_until = now() - interval '1 second' where lease_until is not null`,
    )
  }
  const note = (value: PaymentStatusValue, paymentId: string) => {
    for (const { id, types: selected, enabled, path, secret } of subscriptions) {
      if (enabled && selected.some((type) => type === ALL_PAYMENT_EVENTS || type === paymentEventTypes[value])) {
        expected.push({ id, paymentId, path, secret })
      }
    }
  }
  const take = async (requested: Step): Promise<void> => {
    if (requested.do === 'event') {
      const { paymentId } = await enqueueStatusChange(webhooks.gateway, partner.id, requested.status)
      note(requested.status, paymentId)
    } else if (requested.do === 'event that is rolled back') {
      await expect(rolledBack(requested.status)).rejects.toThrow('died')
    } else if (requested.do === 'subscribe') {
      const { path, targetUrl } = newTarget()
      const body = { targetUrl, eventTypes: [...requested.types] }
      const { id, signingSecret: secret } = await createSubscription(context, caller, body)
      subscriptions.push({ id, types: requested.types, enabled: true, path, secret })
    } else if (requested.do === 'update' || requested.do === 'disable' || requested.do === 'rotate the secret') {
      await change(requested)
    } else if (requested.do === 'wait') {
      await advance(10)
    } else if (requested.do === 'deliver' || requested.do === 'deliver in vain') {
      await deliver(requested.do === 'deliver' ? 200 : 503)
    } else {
      await dieWith(requested.do === 'deliver and die')
    }
  }
  const change = async (requested: Step & { do: 'update' | 'disable' | 'rotate the secret' }): Promise<void> => {
    const subscription = at(requested.which)
    if (subscription === undefined) {
      return
    }
    const key = { partnerId: partner.id, id: subscription.id }
    if (requested.do === 'update') {
      const { path, targetUrl } = newTarget()
      await updateSubscription(context, key, { targetUrl, eventTypes: [...requested.types] })
      Object.assign(subscription, { types: requested.types, path })
    } else if (requested.do === 'rotate the secret') {
      subscription.secret = (await rotateSigningSecret(context, key)).signingSecret
    } else {
      await disableSubscription(context, key)
      subscription.enabled = false
    }
  }
  const rolledBack = async (value: PaymentStatusValue) => {
    const reported = { previousStatus: value, status: value, statusReason: null, statusReasonText: null }
    const lost = { partnerId: partner.id, paymentId: newId(), occurredAt: clock.now(), occurrence: 0, ...reported }
    await inTransaction({ database }, async ({ database: transaction }) => {
      await enqueueEvent(context, transaction, lost)
      throw new Error('died')
    })
  }
  const finish = async (): Promise<void> => {
    for (let left = SCHEDULE_MINUTES; left > 0; left -= 100) {
      await deliver(200)
      await advance(100)
    }
    await deliver(200)
    const { rows } = await database.pool.query<DeliveryRow>(
      `select subscription_id || ' ' || subject_id as pair, id, event_id as "eventId", status, attempts_made as attempts
       from webhook_deliveries where partner_id = $1`,
      [partner.id],
    )
    expect(rows.map(({ pair }) => pair).toSorted()).toEqual(expected.map(pairOf).toSorted())
    expect(rows.filter((row) => row.status !== 'Delivered' && row.attempts < 6)).toEqual([])
    expectArrivals(
      webhooks.receiver.received.filter(({ path }) => path.startsWith(below)),
      rows,
      new Map(expected.map((each) => [pairOf(each), each])),
    )
  }
  return { take, finish }
}

/** What arrived is exactly what was queued: at the URL, under the ids and with the secret of its time. */
function expectArrivals(
  received: readonly Received[],
  rows: readonly DeliveryRow[],
  expectedByPair: ReadonlyMap<string, Expected>,
): void {
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const arrived = new Set<string>()
  for (const each of received) {
    const row = rowsById.get(each.headers['x-svc-webhook-id'] ?? '')
    const wanted = expectedByPair.get(row?.pair ?? '')
    const { id: eventId, data } = JSON.parse(each.body.toString())
    expect({ path: each.path, eventId, paymentId: data.paymentId }).toEqual({
      path: wanted?.path,
      eventId: row?.eventId,
      paymentId: wanted?.paymentId,
    })
    expect(isSignedWith(wanted?.secret ?? '', each)).toBe(true)
    arrived.add(row?.id ?? '')
  }
  const lost = rows.filter(({ id, status }) => status === 'Delivered' && !arrived.has(id))
  expect(lost).toEqual([])
}

const pairOf = ({ id, paymentId }: Expected) => `${id} ${paymentId}`

test('events during the lifetime of a subscription: all between, none before, none after, no gap', async () => {
  const { context } = webhooks.gateway
  const { partner } = await createPartner(context, 'test', { name: newId() })
  const caller = { partnerId: partner.id }
  const body = { targetUrl: `${webhooks.receiver.origin}/coming`, eventTypes: [ALL_PAYMENT_EVENTS as WebhookSelection] }
  const stream = { stopped: false, count: 0 }
  const writers = Array.from({ length: 3 }, async () => {
    while (!stream.stopped) {
      await enqueueStatusChange(webhooks.gateway, partner.id)
      stream.count += 1
    }
  })
  for (let number = 0; number < 5; number += 1) {
    const before = await newest(partner.id)
    const { id } = await createSubscription(context, caller, body)
    const created = await newest(partner.id)
    const enough = stream.count + 10
    await expect.poll(() => stream.count, { interval: EVENTS_POLL_MILLISECONDS }).toBeGreaterThanOrEqual(enough)
    const disabling = await newest(partner.id)
    await disableSubscription(context, { partnerId: partner.id, id })
    const disabled = await newest(partner.id)
    const positions = await positionsOf(partner.id, id)
    const [first = 0, last = 0] = [positions[0], positions.at(-1)]
    expect(positions).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index))
    expect(first).toBeGreaterThan(before)
    expect(first).toBeLessThanOrEqual(created + 1)
    expect(last).toBeGreaterThanOrEqual(disabling)
    expect(last).toBeLessThanOrEqual(disabled)
  }
  stream.stopped = true
  await Promise.all(writers)
}, 60_000)

async function newest(partnerId: string): Promise<number> {
  const { rows } = await webhooks.gateway.context.database.pool.query<{ position: bigint }>(
    'select position from event_positions where partner_id = $1',
    [partnerId],
  )
  return Number(rows[0]?.position ?? 0n)
}

async function positionsOf(partnerId: string, subscriptionId: string): Promise<readonly number[]> {
  const { rows } = await webhooks.gateway.context.database.pool.query<{ position: bigint }>(
    `select e.position from webhook_deliveries d join events e on e.partner_id = d.partner_id and e.id = d.event_id
     where d.partner_id = $1 and d.subscription_id = $2 order by e.position`,
    [partnerId, subscriptionId],
  )
  return rows.map(({ position }) => Number(position))
}
