/** Tests subscriptions: every response of every operation on them, and who may read what. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { WebhookSubscriptionRequest } from '../../../contract/webhooks/webhook-subscriptions.ts'
import { sendRawRequest, UNKNOWN_ID, validHeaders, withoutRequestId } from '../../testing/contract/send-raw-request.ts'
import { forEachRow } from '../../testing/for-each-row.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import {
  demoPartnerId,
  enqueueStatusChange,
  enqueueStatusChanges,
} from '../../testing/webhooks/enqueue-status-change.ts'
import { listDeliveriesOfSubject } from '../webhook-rows.ts'
import { ENABLED_SUBSCRIPTIONS_MAX } from './create-subscription.ts'

const PATH = '/api/webhooks/subscription'
const REQUESTED: WebhookSubscriptionRequest = { targetUrl: 'https://erp.example/hooks', eventTypes: ['PAYMENT_STATUS'] }
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await gateway.context.database.pool.query('update webhook_subscriptions set enabled = false')
})

const create = (changes: Partial<WebhookSubscriptionRequest> = {}) =>
  gateway.client.createWebhookSubscription({ body: { ...REQUESTED, ...changes } })
const send = (method: string, path: string, body?: unknown) =>
  sendRawRequest(gateway, [method, path], { headers, body })

/** Inserts so many more like it, which are the newest, until the test has finished. */
async function copySubscription(id: string, count: number, isEnabled: boolean): Promise<void> {
  onTestFinished(deleteCopies)
  const { pool } = gateway.context.database
  const copies = `('ffffffff-ffff-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await pool.query(
    `insert into webhook_subscriptions (partner_id, id, enabled, event_types, endpoint_version, created_at, updated_at)
     select partner_id, ${copies}, $3, event_types, endpoint_version, created_at, updated_at
     from webhook_subscriptions, generate_series(1, $2::int) n where id = $1`,
    [id, count, isEnabled],
  )
  await pool.query(
    `insert into webhook_endpoints (partner_id, subscription_id, version, target_url, origin, signing_secret_sealed)
     select partner_id, ${copies}, version, target_url, origin, signing_secret_sealed
     from webhook_endpoints, generate_series(1, $2::int) n where subscription_id = $1`,
    [id, count],
  )
}

async function deleteCopies(): Promise<void> {
  const { pool } = gateway.context.database
  await pool.query("delete from webhook_subscriptions where id >= 'ffffffff-ffff-7000-8000-000000000000'")
  await pool.query("delete from webhook_endpoints where subscription_id >= 'ffffffff-ffff-7000-8000-000000000000'")
}

describe('creating a subscription', () => {
  test('returns 201 with the id and the secret, enabled at once', async () => {
    const answer = await send('POST', PATH, REQUESTED)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID_7),
      ...REQUESTED,
      enabled: true,
      paused: false,
      hasBearerToken: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      signingSecret: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('stores each type once, in the order in which they were sent', async () => {
    const eventTypes = ['PAYMENT_STATUS_REJECTED', 'PAYMENT_STATUS', 'PAYMENT_STATUS_REJECTED'] as const
    expect((await create({ eventTypes: [...eventTypes] })).eventTypes).toEqual([
      'PAYMENT_STATUS_REJECTED',
      'PAYMENT_STATUS',
    ])
  })

  test('stores the URL as it was sent, whatever its host', async () => {
    for (const targetUrl of ['https://127.0.0.1:8443/a/../b?key=%41&x', 'HTTPS://ERP.EXAMPLE/hooks']) {
      expect(await create({ targetUrl })).toMatchObject({ targetUrl })
    }
  })

  const INVALID: readonly (readonly [what: string, body: unknown, message: string | RegExp])[] = [
    ['no body', undefined, 'The request has no body'],
    ['an empty object', {}, /^targetUrl .*; eventTypes /],
    ['no type', { ...REQUESTED, eventTypes: [] }, /^eventTypes /],
    ['an unknown type', { ...REQUESTED, eventTypes: ['PAYMENT'] }, /^eventTypes\[0\] /],
    ['a type in another case', { ...REQUESTED, eventTypes: ['payment_status'] }, /^eventTypes\[0\] /],
    ['the type of test events', { ...REQUESTED, eventTypes: ['webhook.test'] }, /^eventTypes\[0\] /],
    ['one type instead of a list', { ...REQUESTED, eventTypes: 'PAYMENT_STATUS' }, /^eventTypes /],
    ['a number as URL', { ...REQUESTED, targetUrl: 1 }, /^targetUrl /],
    ['an empty URL', { ...REQUESTED, targetUrl: '' }, /^targetUrl is not allowed/],
    ['an http URL', { ...REQUESTED, targetUrl: 'http://erp.example/hooks' }, /must begin with https/],
    ['another scheme', { ...REQUESTED, targetUrl: 'ftp://erp.example/' }, /must begin with https/],
    ['credentials', { ...REQUESTED, targetUrl: 'https://me:pw@erp.example/' }, /user name or password/],
    ['a fragment', { ...REQUESTED, targetUrl: 'https://erp.example/#a' }, /fragment/],
    ['no host', { ...REQUESTED, targetUrl: 'https:///hooks' }, /^targetUrl is not allowed/],
    ['U+0000', { ...REQUESTED, targetUrl: 'https://erp.example/\0' }, /^The field targetUrl /],
  ]

  test('with an invalid request is rejected: 400, with nothing stored', async () => {
    const before = await gateway.client.listWebhookSubscriptions()
    await forEachRow(
      INVALID,
      ([what]) => what,
      async ([_what, body, message]) => {
        const answer = await send('POST', PATH, body)
        expect(answer).toMatchObject({
          status: 400,
          body: { message: typeof message === 'string' ? message : expect.stringMatching(message) },
        })
        expect(Object.keys(Object(answer.body)).sort()).toEqual(['code', 'errors', 'message', 'svcRequestId'])
      },
    )
    expect(await gateway.client.listWebhookSubscriptions()).toEqual(before)
  })

  test('to a URL of an enabled one is answered with a warning that names it, also after an update', async () => {
    const first = await create()
    expect(first).not.toHaveProperty('warnings')
    const duplicate = [
      expect.objectContaining({ code: 'DuplicateTargetUrl', path: '.targetUrl', subscriptionId: first.id }),
    ]
    const second = await create({ targetUrl: 'https://ERP.example:443/hooks' })
    expect(second.warnings).toEqual(duplicate)
    const [params, elsewhere] = [{ id: second.id }, { ...REQUESTED, targetUrl: 'https://erp.example/other' }]
    const moved = await gateway.client.updateWebhookSubscription({ params, body: elsewhere })
    expect(moved).not.toHaveProperty('warnings')
    expect((await gateway.client.updateWebhookSubscription({ params, body: REQUESTED })).warnings).toEqual(duplicate)
    await gateway.client.disableWebhookSubscription({ params: { id: first.id } })
    expect(await gateway.client.updateWebhookSubscription({ params, body: REQUESTED })).not.toHaveProperty('warnings')
    await gateway.client.disableWebhookSubscription({ params })
    expect(await create()).not.toHaveProperty('warnings')
  })

  test('beyond the limit is rejected: 409, until one is disabled', async () => {
    const { id } = await create()
    await copySubscription(id, ENABLED_SUBSCRIPTIONS_MAX - 1, true)
    expect(await send('POST', PATH, REQUESTED)).toMatchObject({ status: 409 })
    await gateway.client.disableWebhookSubscription({ params: { id } })
    expect(await send('POST', PATH, REQUESTED)).toMatchObject({ status: 201 })
  })

  test('again under the same key returns the same secret; another body under it is rejected: 422', async () => {
    const keyed = { ...headers, 'idempotency-key': 'subscribe' }
    const first = await sendRawRequest(gateway, ['POST', PATH], { headers: keyed, body: REQUESTED })
    expect(await sendRawRequest(gateway, ['POST', PATH], { headers: keyed, body: REQUESTED })).toMatchObject({
      body: first.body,
    })
    const other = { ...REQUESTED, targetUrl: 'https://other.example/' }
    expect(await sendRawRequest(gateway, ['POST', PATH], { headers: keyed, body: other })).toMatchObject({
      status: 422,
    })
  })
})

describe('reading subscriptions', () => {
  test('lists enabled and disabled ones, newest first, without a secret', async () => {
    const older = await create()
    const newer = await create({ targetUrl: 'https://erp.example/newer' })
    await gateway.client.disableWebhookSubscription({ params: { id: older.id } })
    const listed = await gateway.client.listWebhookSubscriptions()
    expect(listed.slice(0, 2)).toMatchObject([
      { id: newer.id, enabled: true },
      { id: older.id, enabled: false },
    ])
    expect(JSON.stringify(listed)).not.toMatch(/secret/i)
    const { signingSecret: _shownOnce, ...rest } = newer
    expect(await gateway.client.getWebhookSubscription({ params: { id: newer.id } })).toEqual(rest)
  })
})

test('a list has every enabled subscription before disabled ones, however many', async () => {
  const oldest = await create()
  await copySubscription(oldest.id, 500, false)
  const listed = await gateway.client.listWebhookSubscriptions()
  expect(listed).toHaveLength(500)
  expect(listed[0]).toMatchObject({ id: oldest.id, enabled: true })
  const disabled = listed.slice(1).map(({ id }) => id)
  expect(disabled).toEqual([...disabled].sort().reverse())
})

describe('updating a subscription', () => {
  test('replaces URL and types, and keeps the bearer token', async () => {
    const { id, createdAt } = await create()
    await gateway.client.rotateWebhookBearerToken({ params: { id }, body: { bearerToken: 'abc' } })
    const body: WebhookSubscriptionRequest = {
      targetUrl: 'https://new.example/',
      eventTypes: ['PAYMENT_STATUS_COMPLETED', 'PAYMENT_STATUS_REJECTED'],
    }
    const updated = await gateway.client.updateWebhookSubscription({ params: { id }, body })
    expect(updated).toMatchObject({ id, ...body, enabled: true, hasBearerToken: true, createdAt })
    expect(await gateway.client.getWebhookSubscription({ params: { id } })).toEqual(updated)
  })

  test('does not enable a disabled one', async () => {
    const { id } = await create()
    await gateway.client.disableWebhookSubscription({ params: { id } })
    expect(await gateway.client.updateWebhookSubscription({ params: { id }, body: REQUESTED })).toMatchObject({
      enabled: false,
    })
  })

  test('with an invalid request is rejected: 400, and nothing changes', async () => {
    const { id } = await create()
    const before = await gateway.client.getWebhookSubscription({ params: { id } })
    await forEachRow(
      [
        ['no types', { targetUrl: REQUESTED.targetUrl }],
        ['no URL', { eventTypes: REQUESTED.eventTypes }],
        ['an invalid URL', { ...REQUESTED, targetUrl: 'nowhere' }],
        ['an invalid type', { ...REQUESTED, eventTypes: ['PAYMENT_STATUS', 'x'] }],
        ['a list', []],
      ] as const,
      ([what]) => what,
      async ([_what, body]) => expect(await send('PATCH', `${PATH}/${id}`, body)).toMatchObject({ status: 400 }),
    )
    expect(await gateway.client.getWebhookSubscription({ params: { id } })).toEqual(before)
  })
})

describe('pausing a subscription', () => {
  const eventsOf = async (id: string) =>
    (
      await gateway.context.database.pool.query(
        `select subject_id as subject from webhook_deliveries where subscription_id = $1 order by id`,
        [id],
      )
    ).rows.map(({ subject }) => subject)

  test('lets events wait, and resuming it queues each once, in order, before later ones', async () => {
    const [{ id }, { id: other }] = [await create(), await create()]
    const partnerId = await demoPartnerId(gateway)
    const record = async (count: number) =>
      (await enqueueStatusChanges(gateway, partnerId, count)).map(({ paymentId }) => paymentId)
    const before = await record(2)
    const paused = await gateway.client.pauseWebhookSubscription({ params: { id } })
    expect(paused).toMatchObject({ id, enabled: true, paused: true })
    expect(await gateway.client.pauseWebhookSubscription({ params: { id } })).toEqual(paused)
    const during = await record(205)
    expect(await eventsOf(id)).toEqual(before)
    const replay = gateway.client.replayWebhookEvents({ params: { id }, body: { since: '2026-01-01' } })
    await expect(replay).rejects.toMatchObject({ status: 409 })
    const resumed = await gateway.client.resumeWebhookSubscription({ params: { id } })
    expect(resumed).toMatchObject({ enabled: true, paused: false })
    expect(await gateway.client.resumeWebhookSubscription({ params: { id } })).toEqual(resumed)
    const after = await record(1)
    expect(await eventsOf(id)).toEqual([...before, ...during, ...after])
    expect(await eventsOf(other)).toEqual(await eventsOf(id))
  })

  test('and replaying events to it shows operators these deliveries with those of their payment', async () => {
    const { id } = await create()
    const partnerId = await demoPartnerId(gateway)
    await gateway.client.pauseWebhookSubscription({ params: { id } })
    const { paymentId, occurredAt } = await enqueueStatusChange(gateway, partnerId)
    await gateway.client.resumeWebhookSubscription({ params: { id } })
    const { id: later } = await create()
    const replay = { params: { id: later }, body: { since: occurredAt.toString() } }
    const once = await gateway.client.replayWebhookEvents(replay)
    const shown = await listDeliveriesOfSubject(gateway.context.database, { partnerId, id: paymentId })
    expect(shown.map(({ subscriptionId }) => subscriptionId)).toEqual([id, later])
    // One of them may wait still: each replay queues another delivery.
    expect(await gateway.client.replayWebhookEvents(replay)).toEqual(once)
    expect((await eventsOf(later)).filter((subject) => subject === paymentId)).toHaveLength(2)
  })

  test('while events happen loses none and repeats none', async () => {
    const { id } = await create()
    const partnerId = await demoPartnerId(gateway)
    const events = async () => {
      for (let n = 0; n < 20; n += 1) {
        await enqueueStatusChange(gateway, partnerId)
      }
    }
    const pauses = async () => {
      for (let n = 0; n < 5; n += 1) {
        await gateway.client.pauseWebhookSubscription({ params: { id } })
        const params = { id }
        await Promise.all([1, 2].map(() => gateway.client.resumeWebhookSubscription({ params })))
      }
    }
    await Promise.all([events(), events(), pauses()])
    const delivered = await eventsOf(id)
    expect([delivered.length, new Set(delivered).size]).toEqual([40, 40])
  })

  test('is not possible once it is disabled', async () => {
    const { id } = await create()
    await gateway.client.pauseWebhookSubscription({ params: { id } })
    expect(await gateway.client.disableWebhookSubscription({ params: { id } })).toMatchObject({ paused: false })
    for (const call of ['pauseWebhookSubscription', 'resumeWebhookSubscription'] as const) {
      await expect(gateway.client[call]({ params: { id } }), call).rejects.toMatchObject({ status: 404 })
      await expect(gateway.client[call]({ params: { id: UNKNOWN_ID } }), call).rejects.toMatchObject({ status: 404 })
    }
  })
})

describe('rotating secrets', () => {
  const INVALID_TOKENS: readonly (readonly [bearerToken: unknown, message: string])[] = [
    ['', 'printable ASCII'],
    ['  \t', 'printable ASCII'],
    ['Bearer abc', 'starts with Bearer'],
    ['bearer abc', 'starts with Bearer'],
    ['Bearer', 'starts with Bearer'],
    ['abc\r\nX-Other: 1', 'printable ASCII'],
    ['abc\n', 'printable ASCII'],
    ['nøkkel', 'printable ASCII'],
    [' abc', 'printable ASCII'],
    ['a'.repeat(4097), 'at most 4096'],
    [undefined, 'bearerToken '],
    [7, 'bearerToken '],
    [null, 'bearerToken '],
  ]

  test('rejects a bearer token that no header can carry: 400', async () => {
    const { id } = await create()
    await forEachRow(
      INVALID_TOKENS,
      ([bearerToken]) => JSON.stringify(bearerToken),
      async ([bearerToken, message]) => {
        const answer = await send('POST', `${PATH}/${id}/rotate-bearer-token`, { bearerToken })
        expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
      },
    )
    expect(await gateway.client.getWebhookSubscription({ params: { id } })).toMatchObject({ hasBearerToken: false })
    const body = { bearerToken: 'only ~printable~ ASCII/+=' }
    expect(await gateway.client.rotateWebhookBearerToken({ params: { id }, body })).toMatchObject({
      hasBearerToken: true,
    })
  })

  test('stores secrets encrypted', async () => {
    const { id, signingSecret } = await create()
    await gateway.client.rotateWebhookBearerToken({ params: { id }, body: { bearerToken: 'a-bearer-token' } })
    const { rows } = await gateway.context.database.pool.query('select * from webhook_endpoints')
    const atRest = rows.flatMap((row) =>
      Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))),
    )
    expect(atRest.filter((value) => value.includes(signingSecret) || value.includes('a-bearer-token'))).toEqual([])
    expect(gateway.logLines().filter((line) => line.includes(signingSecret))).toEqual([])
  })
})

const ON_ONE: readonly (readonly [method: string, below: string, body: object | undefined])[] = [
  ['GET', '', undefined],
  ['PATCH', '', REQUESTED],
  ['POST', '/disable', undefined],
  ['POST', '/rotate-bearer-token', { bearerToken: 'abc' }],
  ['POST', '/rotate-signing-secret', undefined],
  ['POST', '/test', undefined],
  ['GET', '/deliveries', undefined],
  ['GET', `/deliveries/${UNKNOWN_ID}`, undefined],
  ['POST', `/deliveries/${UNKNOWN_ID}/retry`, undefined],
]

test('of another partner, an unknown one, or an invalid id: 404, all the same', async () => {
  const { id } = await create()
  const before = await gateway.client.getWebhookSubscription({ params: { id } })
  const { client, credentials } = await gateway.otherPartner()
  const { access_token } = await client.issueToken({
    body: {
      grant_type: 'client_credentials',
      scope: 'api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    },
  })
  const theirs = { authorization: `Bearer ${access_token}` }
  await forEachRow(
    ON_ONE,
    ([method, below]) => `${method} …${below}`,
    async ([method, below, body]) => {
      const answerFor = (subscription: string) =>
        sendRawRequest(gateway, [method, `${PATH}/${subscription}${below}`], { headers: theirs, body })
      const answer = await answerFor(id)
      expect(answer.status).toBe(404)
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(await answerFor(UNKNOWN_ID)))
      expect(await answerFor('7')).toMatchObject({ status: 404 })
    },
  )
  expect(await client.listWebhookSubscriptions()).toEqual([])
  expect(await gateway.client.getWebhookSubscription({ params: { id } })).toEqual(before)
})
