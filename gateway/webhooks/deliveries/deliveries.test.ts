/** Tests deliveries: what is sent where, when it is retried, and what the log shows. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { QueryOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { WebhookSelection } from '../../../contract/webhooks/webhook-subscriptions.ts'
import { sendRawRequest, UNKNOWN_ID, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { forEachRow } from '../../testing/for-each-row.ts'
import { webhookViolations } from '../../testing/webhooks/documented-webhook.ts'
import { demoPartnerId, enqueueStatusChange } from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import { isSignedWith, type Received, type ReceiverBehaviour } from '../../testing/webhooks/webhook-receiver.ts'
import { CONCURRENT_TESTS_MAX } from '../subscriptions/test-subscription.ts'
import { RETRY_MINUTES } from './attempt-outcome.ts'

const TIMESTAMP_WINDOW_SECONDS = 60
const ALL_STATUSES = [
  'Unsigned',
  'InProgress',
  'Rejected',
  'Completed',
  'Cancelled',
  'CustomerActionRequired',
] as const satisfies readonly PaymentStatusValue[]

let webhooks: WebhookGateway
let partnerId: string
let paths = 0
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
const nextPath = () => {
  paths += 1
  return `/hooks/${paths}`
}
const answer =
  (status: number, body = ''): ReceiverBehaviour =>
  (response) =>
    response.writeHead(status).end(body)
const receivedAt = (path: string) => webhooks.receiver.received.filter((each) => each.path === path)
const eventOf = ({ body }: Received) => JSON.parse(body.toString())
const at = (targetUrl: string) => receivedAt(new URL(targetUrl).pathname)

async function announce(status?: PaymentStatusValue, changes?: Parameters<typeof enqueueStatusChange>[3]) {
  return await enqueueStatusChange(webhooks.gateway, partnerId, status, changes)
}

async function theOnly(id: string) {
  const { deliveries } = await client().listWebhookDeliveries({ params: { id } })
  expect(deliveries).toHaveLength(1)
  return await client().getWebhookDelivery({ params: { id, deliveryId: deliveries[0]?.id ?? '' } })
}

describe('a delivery', () => {
  test('is the event with the headers of the interface, signed with the secret at wall time', async () => {
    const { id, targetUrl, signingSecret } = await webhooks.subscribe(nextPath())
    const change = await announce('CustomerActionRequired', {
      statusReason: 'PartlySigned',
      statusReasonText: 'Én til',
    })
    await webhooks.gateway.sweep()
    const [received] = at(targetUrl)
    const delivery = await theOnly(id)
    const { type, paymentId, ...event } = eventOf(received as Received)
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-webhook-id': delivery.id,
      'x-svc-webhook-event': 'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED',
      'x-svc-webhook-subscription': id,
    })
    expect(received?.headers).not.toHaveProperty('authorization')
    expect({ type, ...event }).toEqual({
      id: delivery.eventId,
      type: 'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED',
      version: '1',
      occurredAt: change.occurredAt.toString({ smallestUnit: 'millisecond' }),
      data: {
        paymentId: change.paymentId,
        previousStatus: 'Unsigned',
        status: 'CustomerActionRequired',
        statusReason: 'PartlySigned',
        statusReasonText: 'Én til',
      },
    })
    expect(webhookViolations('paymentStatus', received as Received)).toEqual([])
    expect(delivery.eventId).not.toBe(delivery.id)
    expect(received?.body.toString()).toBe(delivery.body)
    expect(isSignedWith(signingSecret, received as Received)).toBe(true)
    expect(isSignedWith(`${signingSecret}x`, received as Received)).toBe(false)
    expectWallTime(received as Received)
  })

  test('carries the bearer token once there is one', async () => {
    const { id, targetUrl } = await webhooks.subscribe(nextPath())
    await client().rotateWebhookBearerToken({ params: { id }, body: { bearerToken: 'first' } })
    await announce()
    await client().rotateWebhookBearerToken({ params: { id }, body: { bearerToken: 'second' } })
    await announce()
    await webhooks.gateway.sweep()
    expect(
      at(targetUrl)
        .map(({ headers }) => headers['authorization'])
        .toSorted(),
    ).toEqual(['Bearer first', 'Bearer second'])
  })

  test('uses the endpoint and the secret of the time when it was queued, whatever has changed since', async () => {
    const [before, after] = [nextPath(), nextPath()]
    const { id, signingSecret, targetUrl, eventTypes } = await webhooks.subscribe(before)
    await announce()
    const moved = { targetUrl: targetUrl.replace(before, after), eventTypes }
    await client().updateWebhookSubscription({ params: { id }, body: moved })
    const rotated = await client().rotateWebhookSigningSecret({ params: { id } })
    await announce()
    await client().disableWebhookSubscription({ params: { id } })
    await announce()
    await webhooks.gateway.sweep()
    expect(receivedAt(before).map((each) => isSignedWith(signingSecret, each))).toEqual([true])
    expect(receivedAt(after).map((each) => isSignedWith(rotated.signingSecret, each))).toEqual([true])
  })

  test('of another partner’s event is not enqueued', async () => {
    const { targetUrl } = await webhooks.subscribe(nextPath())
    await enqueueStatusChange(webhooks.gateway, UNKNOWN_ID)
    await webhooks.gateway.sweep()
    expect(at(targetUrl)).toEqual([])
  })

  test('follows the previous one of the same payment', async () => {
    const { targetUrl } = await webhooks.subscribe(nextPath())
    const statuses: readonly PaymentStatusValue[] = ['InProgress', 'CustomerActionRequired', 'InProgress', 'Completed']
    let [under, most] = [0, 0]
    webhooks.receiver.behave((response) => {
      under += 1
      most = Math.max(most, under)
      setImmediate(() => {
        under -= 1
        response.writeHead(204).end()
      })
    })
    const { paymentId } = await announce('CustomerActionRequired')
    for (const status of statuses) {
      await announce(status, { paymentId })
    }
    await webhooks.gateway.sweep()
    expect(at(targetUrl).map((each) => eventOf(each).data.status)).toEqual(['CustomerActionRequired', ...statuses])
    expect(most).toBe(1)
  })
})

describe('a subscription selects', () => {
  const SELECTIONS: readonly (readonly [readonly WebhookSelection[], readonly PaymentStatusValue[]])[] = [
    [['PAYMENT_STATUS'], ALL_STATUSES],
    [['PAYMENT_STATUS_COMPLETED'], ['Completed']],
    [['PAYMENT_STATUS', 'PAYMENT_STATUS_REJECTED'], ALL_STATUSES],
    [
      ['PAYMENT_STATUS_UNSIGNED', 'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED'],
      ['Unsigned', 'CustomerActionRequired'],
    ],
    [
      ['PAYMENT_STATUS_IN_PROGRESS', 'PAYMENT_STATUS_CANCELLED'],
      ['InProgress', 'Cancelled'],
    ],
  ]

  test('by the types of events the changes to these statuses, each once', async () => {
    const subscribed = await Promise.all(
      SELECTIONS.map(async ([eventTypes, statuses]) => {
        const targetUrl = `${webhooks.receiver.origin}${nextPath()}`
        await client().createWebhookSubscription({ body: { targetUrl, eventTypes: [...eventTypes] } })
        return { targetUrl, eventTypes, statuses: [...statuses].sort() }
      }),
    )
    for (const status of ALL_STATUSES) {
      await announce(status)
    }
    await webhooks.gateway.sweep()
    const received = subscribed.map(({ targetUrl, eventTypes }) => {
      const statuses = at(targetUrl).map((each) => eventOf(each).data.status)
      return { targetUrl, eventTypes, statuses: statuses.sort() }
    })
    expect(received).toEqual(subscribed)
  })

  test('next to another one with the same URL: one delivery for each', async () => {
    const path = nextPath()
    const [one, other] = [await webhooks.subscribe(path), await webhooks.subscribe(path)]
    await announce()
    await webhooks.gateway.sweep()
    const received = receivedAt(path)
    expect(received).toHaveLength(2)
    expect(received.filter((each) => isSignedWith(one.signingSecret, each))).toHaveLength(1)
    expect(received.filter((each) => isSignedWith(other.signingSecret, each))).toHaveLength(1)
    expect(new Set(received.map((each) => eventOf(each).id)).size).toBe(1)
  })

  test('no event from before its creation', async () => {
    await announce()
    const { targetUrl } = await webhooks.subscribe(nextPath())
    await webhooks.gateway.sweep()
    expect(at(targetUrl)).toEqual([])
  })
})

/** The outcome of each status is tested with `stateAfterAttempt`. */
describe('an answer', () => {
  test.each([200, 299])('of %i is success', async (status) => {
    const { id } = await webhooks.subscribe(nextPath())
    webhooks.receiver.behave(answer(status))
    await announce()
    await webhooks.gateway.sweep()
    expect(await theOnly(id)).toMatchObject({
      status: 'Delivered',
      attemptsMade: 1,
      nextAttemptAt: null,
      lastError: null,
      attempts: [{ statusCode: status, error: null }],
    })
  })

  test.each([308, 400])('of %i is a failure for good', async (status) => {
    const { id, targetUrl } = await webhooks.subscribe(nextPath())
    const location = `${webhooks.receiver.origin}/elsewhere`
    webhooks.receiver.behave((response) => response.writeHead(status, { location }).end('No.'))
    await announce()
    await webhooks.gateway.sweep()
    expect(await theOnly(id)).toMatchObject({
      status: 'Failed',
      attemptsMade: 1,
      nextAttemptAt: null,
      attempts: [{ statusCode: status, answer: 'No.', error: expect.stringContaining(`answered ${status}`) }],
    })
    expect(at(targetUrl)).toHaveLength(1)
    expect(receivedAt('/elsewhere')).toEqual([])
  })

  test.each([429, 500])('of %i is retried after a minute', async (status) => {
    const { id } = await webhooks.subscribe(nextPath())
    webhooks.receiver.behave(answer(status))
    await announce()
    await webhooks.gateway.sweep()
    const delivery = await theOnly(id)
    expect(delivery).toMatchObject({ status: 'Queued', attemptsMade: 1, attempts: [{ statusCode: status }] })
    expect(minutesBetween(delivery.attempts[0]?.at, delivery.nextAttemptAt)).toBe(1)
  })

  test('that does not arrive because the connection breaks is retried', async () => {
    const { id } = await webhooks.subscribe(nextPath())
    webhooks.receiver.behave((_response, _received, socket) => socket.destroy())
    await announce()
    await webhooks.gateway.sweep()
    expect(await theOnly(id)).toMatchObject({
      status: 'Queued',
      attempts: [{ statusCode: null, answer: null, error: expect.stringContaining('did not respond') }],
    })
  })

  test('is stored up to its first kilobyte', async () => {
    const { id } = await webhooks.subscribe(nextPath())
    webhooks.receiver.behave(answer(400, 'x'.repeat(5_000)))
    await announce()
    await webhooks.gateway.sweep()
    expect((await theOnly(id)).attempts[0]?.answer).toBe('x'.repeat(1024))
  })
})

test('a forbidden destination ends the delivery without a connection and without retries', async () => {
  const body = { targetUrl: 'https://10.1.2.3/hooks', eventTypes: ['PAYMENT_STATUS' as const] }
  const { id } = await client().createWebhookSubscription({ body })
  await announce()
  await webhooks.gateway.sweep()
  expect(await theOnly(id)).toMatchObject({
    status: 'Refused',
    nextAttemptAt: null,
    attempts: [{ statusCode: null, error: expect.any(String) }],
  })
})

test('retries come after 1, 5, 30, 120 and 360 minutes as the clock is moved, then no more', async () => {
  const { id, targetUrl, signingSecret } = await webhooks.subscribe(nextPath())
  webhooks.receiver.behave(answer(503))
  await announce()
  await webhooks.gateway.sweep()
  await client().moveSandboxClock({ body: { advance: 'PT30H' } })
  const delivery = await theOnly(id)
  expect(delivery).toMatchObject({ status: 'Failed', attemptsMade: 6, nextAttemptAt: null })
  const times = delivery.attempts.map(({ at: time }) => minutesBetween(delivery.attempts[0]?.at, time))
  expect(times).toEqual([0, 1, 6, 36, 156, 516])
  expect(RETRY_MINUTES.reduce<number>((sum, minutes) => sum + minutes, 0)).toBe(516)
  const received = at(targetUrl)
  expect(received).toHaveLength(6)
  expect(new Set(received.map(({ headers }) => headers['x-svc-webhook-id']))).toEqual(new Set([delivery.id]))
  expect(new Set(received.map(({ body }) => body.toString()))).toEqual(new Set([delivery.body]))
  for (const each of received) {
    expect(isSignedWith(signingSecret, each)).toBe(true)
    expectWallTime(each)
  }
  await client().moveSandboxClock({ body: { reset: true } })
})

test('a retry that succeeds is the last, and a moved clock brings retries of several deliveries in their order', async () => {
  const [one, other] = [await webhooks.subscribe(nextPath()), await webhooks.subscribe(nextPath())]
  webhooks.receiver.behave(answer(500))
  await announce()
  await webhooks.gateway.sweep()
  const seen: string[] = []
  webhooks.receiver.behave((response, { path, headers }) => {
    seen.push(path)
    const isLast = seen.filter((each) => each === path).length === (one.targetUrl.endsWith(path) ? 2 : 1)
    response.writeHead(isLast ? 200 : 502).end(headers['x-svc-webhook-id'])
  })
  await client().moveSandboxClock({ body: { advance: 'PT10H' } })
  const [first, second] = [one, other].map(({ targetUrl }) => new URL(targetUrl).pathname)
  expect([seen.slice(0, 2).toSorted(), seen.slice(2)]).toEqual([[first, second].toSorted(), [first]])
  expect(await theOnly(one.id)).toMatchObject({ status: 'Delivered', attemptsMade: 3 })
  expect(await theOnly(other.id)).toMatchObject({ status: 'Delivered', attemptsMade: 2 })
  await client().moveSandboxClock({ body: { reset: true } })
})

test('a reset of the clock makes waiting retries due at once', async () => {
  const { id } = await webhooks.subscribe(nextPath())
  await client().moveSandboxClock({ body: { advance: 'P1D' } })
  webhooks.receiver.behave(answer(500))
  await announce()
  await webhooks.gateway.sweep()
  webhooks.receiver.behave(answer(200))
  await client().moveSandboxClock({ body: { reset: true } })
  await webhooks.gateway.sweep()
  expect(await theOnly(id)).toMatchObject({ status: 'Delivered', attemptsMade: 2 })
})

describe('a test', () => {
  test('is delivered within the request, whatever types are selected', async () => {
    const { id, targetUrl, signingSecret } = await webhooks.subscribe(nextPath())
    const result = await client().testWebhookSubscription({ params: { id } })
    expect(result).toEqual({ deliveryId: expect.any(String), succeeded: true, error: null })
    const [received] = at(targetUrl) as [Received]
    expect(received.headers).toMatchObject({
      'x-svc-webhook-event': 'webhook.test',
      'x-svc-webhook-id': result.deliveryId,
      'x-svc-webhook-subscription': id,
    })
    expect(isSignedWith(signingSecret, received)).toBe(true)
    expect(webhookViolations('test', received)).toEqual([])
    expect(eventOf(received)).toEqual({
      id: expect.any(String),
      type: 'webhook.test',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await theOnly(id)).toMatchObject({ id: result.deliveryId, status: 'Delivered', eventType: 'webhook.test' })
    const { events } = await client().listWebhookEvents({ query: { limit: 500 } })
    expect(events.map((event) => event.id)).not.toContain(eventOf(received).id)
  })

  test('that fails is answered with 200 and the reason, and is retried like any delivery', async () => {
    const { id, targetUrl } = await webhooks.subscribe(nextPath())
    webhooks.receiver.behave(answer(503))
    expect(await client().testWebhookSubscription({ params: { id } })).toMatchObject({
      succeeded: false,
      error: 'The endpoint answered 503',
    })
    webhooks.receiver.behave(answer(200))
    await client().moveSandboxClock({ body: { advance: 'PT1M' } })
    expect(await theOnly(id)).toMatchObject({ status: 'Delivered', attemptsMade: 2 })
    expect(at(targetUrl).map(({ headers }) => headers['x-svc-webhook-id'])).toHaveLength(2)
    await client().moveSandboxClock({ body: { reset: true } })
  })

  test('of a disabled subscription is not found: 404', async () => {
    const { id, targetUrl } = await webhooks.subscribe(nextPath())
    await client().disableWebhookSubscription({ params: { id } })
    const headers = await validHeaders(webhooks.gateway)
    const path = `/api/webhooks/subscription/${id}/test`
    expect(await sendRawRequest(webhooks.gateway, ['POST', path], { headers })).toMatchObject({ status: 404 })
    expect(at(targetUrl)).toEqual([])
  })
})

describe('too many tests', () => {
  const test429 = async (id: string) => {
    const headers = await validHeaders(webhooks.gateway)
    return await sendRawRequest(webhooks.gateway, ['POST', `/api/webhooks/subscription/${id}/test`], { headers })
  }

  test('of one subscription at a time are rejected with Retry-After, without a delivery: 429', async () => {
    const { id, targetUrl } = await webhooks.subscribe(nextPath())
    const waiting: (() => void)[] = []
    webhooks.receiver.behave((response) => void waiting.push(() => response.writeHead(204).end()))
    const under = Array.from({ length: CONCURRENT_TESTS_MAX.ofSubscription }, () => test429(id))
    await expect.poll(() => waiting.length).toBe(CONCURRENT_TESTS_MAX.ofSubscription)
    const refused = await test429(id)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const answerOne of waiting) {
      answerOne()
    }
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual(under.map(() => 200))
    expect(at(targetUrl)).toHaveLength(CONCURRENT_TESTS_MAX.ofSubscription)
    webhooks.receiver.behave(answer(204))
    expect(await test429(id)).toMatchObject({ status: 200 })
  })

  test('of all subscriptions of a partner at a time are rejected, too: 429', async () => {
    const ids: string[] = []
    const waiting: (() => void)[] = []
    for (let n = 0; n <= CONCURRENT_TESTS_MAX.ofPartner; n += 1) {
      ids.push((await webhooks.subscribe(nextPath())).id)
    }
    webhooks.receiver.behave((response) => void waiting.push(() => response.writeHead(204).end()))
    const under = ids.slice(1).map(test429)
    await expect.poll(() => waiting.length).toBe(CONCURRENT_TESTS_MAX.ofPartner)
    expect(await test429(ids[0] ?? '')).toMatchObject({ status: 429 })
    for (const answerOne of waiting) {
      answerOne()
    }
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual(under.map(() => 200))
  })
})

describe('the log', () => {
  test('returns all deliveries page by page, newest first', async () => {
    const { id } = await webhooks.subscribe(nextPath())
    for (let number = 0; number < 5; number += 1) {
      await announce()
    }
    const seen: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
      const page = await client().listWebhookDeliveries({ params: { id }, query })
      seen.push(...page.deliveries.map((delivery) => delivery.id))
      cursor = page.nextCursor
    }
    expect(seen).toHaveLength(5)
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  test('is filtered by status and by type', async () => {
    const { id } = await webhooks.subscribe(nextPath())
    webhooks.receiver.behave((response, received) =>
      response.writeHead(eventOf(received).data.status === 'Rejected' ? 400 : 200).end(),
    )
    await announce('Rejected')
    await announce('Completed')
    await webhooks.gateway.sweep()
    await announce('Completed')
    const count = async (query: QueryOf<typeof operations.listWebhookDeliveries>) =>
      (await client().listWebhookDeliveries({ params: { id }, query })).deliveries.length
    expect(await count({ status: 'Failed' })).toBe(1)
    expect(await count({ status: 'Refused' })).toBe(0)
    expect(await count({ status: 'Queued' })).toBe(1)
    expect(await count({ status: 'Delivered' })).toBe(1)
    expect(await count({ eventType: 'PAYMENT_STATUS_COMPLETED' })).toBe(2)
    expect(await count({ eventType: 'webhook.test' })).toBe(0)
    expect(await count({ status: 'Failed', eventType: 'PAYMENT_STATUS_REJECTED' })).toBe(1)
    expect(await count({ status: 'Failed', eventType: 'PAYMENT_STATUS_COMPLETED' })).toBe(0)
    // Of several statuses, the newest first, page by page.
    const query = { eventType: 'PAYMENT_STATUS_COMPLETED', limit: 1 } as const
    const first = await client().listWebhookDeliveries({ params: { id }, query })
    const cursor = first.nextCursor ?? ''
    const second = await client().listWebhookDeliveries({ params: { id }, query: { ...query, cursor } })
    expect([...first.deliveries, ...second.deliveries].map(({ status }) => status)).toEqual(['Queued', 'Delivered'])
    expect(second.nextCursor).toBeNull()
  })

  test('rejects invalid parameters: 400', async () => {
    const { id } = await webhooks.subscribe(nextPath())
    await expectInvalid(`/api/webhooks/subscription/${id}/deliveries`, [
      ...['status=delivered', 'eventType=PAYMENT_STATUS', 'limit=0', 'limit=501', 'limit=x', 'cursor=abc'],
      'status=Queued&status=Failed',
    ])
  })

  test('does not show a delivery of another subscription: 404', async () => {
    const [one, other] = [await webhooks.subscribe(nextPath()), await webhooks.subscribe(nextPath())]
    await announce()
    const { id: deliveryId } = await theOnly(one.id)
    const headers = await validHeaders(webhooks.gateway)
    const path = `/api/webhooks/subscription/${other.id}/deliveries/${deliveryId}`
    expect(await sendRawRequest(webhooks.gateway, ['GET', path], { headers })).toMatchObject({ status: 404 })
    expect(await sendRawRequest(webhooks.gateway, ['POST', `${path}/retry`], { headers })).toMatchObject({
      status: 404,
    })
  })
})

describe('retrying by hand', () => {
  const retry = async (id: string, deliveryId: string) => {
    const headers = await validHeaders(webhooks.gateway)
    const path = `/api/webhooks/subscription/${id}/deliveries/${deliveryId}/retry`
    return await sendRawRequest(webhooks.gateway, ['POST', path], { headers })
  }

  test('a delivery that has not ended, or of a disabled subscription, is rejected: 409, and nothing is queued', async () => {
    const { id } = await webhooks.subscribe(nextPath())
    webhooks.receiver.behave(answer(400))
    await announce()
    const queued = await theOnly(id)
    expect(queued.status).toBe('Queued')
    expect(await retry(id, queued.id)).toMatchObject({ status: 409 })
    await webhooks.gateway.sweep()
    expect((await theOnly(id)).status).toBe('Failed')
    await client().disableWebhookSubscription({ params: { id } })
    expect(await retry(id, queued.id)).toMatchObject({ status: 409 })
    expect(await retry(id, UNKNOWN_ID)).toMatchObject({ status: 404 })
    expect((await client().listWebhookDeliveries({ params: { id } })).deliveries).toHaveLength(1)
  })

  test('of one event queues one delivery until that has ended, however often it is requested', async () => {
    const { id } = await webhooks.subscribe(nextPath())
    webhooks.receiver.behave(answer(400))
    await announce()
    await webhooks.gateway.sweep()
    const failed = await theOnly(id)
    const answers = await Promise.all(Array.from({ length: 10 }, () => retry(id, failed.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)])
    expect(await retry(id, failed.id)).toMatchObject({ status: 409 })
    const queued = await client().listWebhookDeliveries({ params: { id }, query: { status: 'Queued' } })
    expect(queued.deliveries).toHaveLength(1)
    await webhooks.gateway.sweep()
    const [latest] = (await client().listWebhookDeliveries({ params: { id } })).deliveries
    expect(latest).toMatchObject({ id: queued.deliveries[0]?.id, status: 'Failed' })
    expect(await retry(id, latest?.id ?? '')).toMatchObject({ status: 200 })
    expect(await retry(id, failed.id)).toMatchObject({ status: 409 })
  })

  test('queues the same event again, with the current endpoint and secret', async () => {
    const [before, after] = [nextPath(), nextPath()]
    const { id, targetUrl, eventTypes } = await webhooks.subscribe(before)
    webhooks.receiver.behave(answer(400))
    await announce()
    await webhooks.gateway.sweep()
    const failed = await theOnly(id)
    const moved = { targetUrl: targetUrl.replace(before, after), eventTypes }
    await client().updateWebhookSubscription({ params: { id }, body: moved })
    const { signingSecret } = await client().rotateWebhookSigningSecret({ params: { id } })
    webhooks.receiver.behave(answer(200))
    const retried = await client().retryWebhookDelivery({ params: { id, deliveryId: failed.id } })
    expect(retried).toMatchObject({
      status: 'Queued',
      attemptsMade: 0,
      eventId: failed.eventId,
      body: failed.body,
      targetUrl: moved.targetUrl,
    })
    expect(retried.id).not.toBe(failed.id)
    await webhooks.gateway.sweep()
    const [received] = receivedAt(after) as [Received]
    expect(received.headers['x-svc-webhook-id']).toBe(retried.id)
    expect(isSignedWith(signingSecret, received)).toBe(true)
    expect(await client().getWebhookDelivery({ params: { id, deliveryId: failed.id } })).toEqual(failed)
  })
})

describe('reading events', () => {
  test('returns all events of the partner in order, and continues after the last one', async () => {
    const before = await readAll('0')
    const changes = [await announce('InProgress'), await announce('Completed'), await announce('Rejected')]
    await enqueueStatusChange(webhooks.gateway, UNKNOWN_ID)
    const after = await readAll(before.nextAfter)
    expect(after.events).toMatchObject(changes.map(({ paymentId }) => ({ data: { paymentId } })))
    expect(await client().listWebhookEvents({ query: { after: after.nextAfter } })).toEqual({
      events: [],
      nextAfter: after.nextAfter,
      missed: false,
    })
  })

  test('rejects invalid parameters: 400', () =>
    expectInvalid('/api/webhooks/events', [
      ...['after=-1', 'after=x', 'after=1234567890123456789', 'after=1&after=2', 'limit=0', 'limit=501'],
    ]))

  async function readAll(from: string) {
    const events = []
    let nextAfter = from
    for (;;) {
      const page = await client().listWebhookEvents({ query: { after: nextAfter, limit: 2 } })
      events.push(...page.events)
      if (page.events.length === 0) {
        return { events, nextAfter }
      }
      nextAfter = page.nextAfter
    }
  }
})

async function expectInvalid(path: string, queries: readonly string[]): Promise<void> {
  const headers = await validHeaders(webhooks.gateway)
  await forEachRow(
    queries,
    (query) => query,
    async (query) =>
      expect(await sendRawRequest(webhooks.gateway, ['GET', `${path}?${query}`], { headers })).toMatchObject({
        status: 400,
      }),
  )
}

function minutesBetween(from: string | undefined, to: string | null | undefined): number {
  const [start, end] = [Temporal.Instant.from(from ?? ''), Temporal.Instant.from(to ?? '')]
  return Math.floor(end.since(start).total('minutes'))
}

/** Wall time, as receivers have it. */
function expectWallTime({ headers, at: arrived }: Received): void {
  const skew = Math.abs(arrived / 1000 - Number(headers['x-svc-webhook-timestamp']))
  expect(skew).toBeLessThan(TIMESTAMP_WINDOW_SECONDS)
}
