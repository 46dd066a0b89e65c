/** Tests retention: what is 30 days old is deleted unless still needed, and no reader skips events unnoticed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WebhookSubscriptionWithSecret } from '../../contract/webhooks/webhook-subscriptions.ts'
import { lowestIdAt, newId } from '../platform/ids.ts'
import { demoPartnerId, enqueueStatusChange } from '../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../testing/webhooks/webhook-gateway.ts'
import { webhookRetentionSweep } from './jobs.ts'

let webhooks: WebhookGateway
let partnerId: string
beforeAll(async () => {
  webhooks = await startWebhookGateway()
  partnerId = await demoPartnerId(webhooks.gateway)
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  webhooks.receiver.behave((response) => response.writeHead(204).end())
  await client().moveSandboxClock({ body: { reset: true } })
  for (const table of ['webhook_deliveries', 'webhook_endpoints', 'webhook_subscriptions', 'events']) {
    await sql(`delete from ${table}`)
  }
  await sql('update event_positions set deleted_up_to = position')
})

const client = () => webhooks.gateway.client
const advance = (by: string) => client().moveSandboxClock({ body: { advance: by } })
const announce = () => enqueueStatusChange(webhooks.gateway, partnerId)
const readEvents = (after?: string) =>
  client().listWebhookEvents({ query: { limit: 100, ...(after === undefined ? {} : { after }) } })

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await webhooks.gateway.context.database.pool.query<Row>(text, values)).rows
}

/** Runs until nothing more is to be deleted; returns the number of each round. */
async function forget(): Promise<number[]> {
  const sweep = webhookRetentionSweep(webhooks.gateway.context)
  const counts: number[] = []
  for (;;) {
    const count = await sweep.run(50)
    if (count === 0) {
      return counts
    }
    counts.push(count)
  }
}

async function statusesOf({ id }: Pick<WebhookSubscriptionWithSecret, 'id'>) {
  const { deliveries } = await client().listWebhookDeliveries({ params: { id } })
  return deliveries.map(({ status }) => status)
}

async function versionsOf({ id }: Pick<WebhookSubscriptionWithSecret, 'id'>): Promise<number[]> {
  const rows = await sql<{ version: number }>(
    'select version from webhook_endpoints where subscription_id = $1 order by version',
    [id],
  )
  return rows.map(({ version }) => version)
}

describe('events', () => {
  test('are deleted after 30 days; a reader with an older position gets the oldest stored one, and a notice', async () => {
    const { nextAfter: start } = await readEvents()
    await announce()
    const { nextAfter: afterFirst } = await readEvents(start)
    await announce()
    const { nextAfter: afterSecond } = await readEvents(start)
    await advance('P29D')
    const stored = await announce()
    expect(await forget()).toEqual([])
    await advance('P2D')
    expect(await forget()).toEqual([2])
    const page = { nextAfter: String(BigInt(afterSecond) + 1n) }
    const reported = (answer: Awaited<ReturnType<typeof readEvents>>) => ({
      ...answer,
      events: answer.events.map(({ data }) => ('paymentId' in data ? data.paymentId : undefined)),
    })
    expect(reported(await readEvents(afterFirst))).toEqual({ ...page, events: [stored.paymentId], missed: true })
    expect(reported(await readEvents('0'))).toEqual({ ...page, events: [stored.paymentId], missed: true })
    expect(reported(await readEvents(afterSecond))).toEqual({ ...page, events: [stored.paymentId], missed: false })
    expect(reported(await readEvents())).toEqual({ ...page, events: [stored.paymentId], missed: false })
  })

  test('that are all deleted leave a position to continue from, and the next one follows it', async () => {
    const { nextAfter: start } = await readEvents()
    await announce()
    await announce()
    await advance('P31D')
    await forget()
    const empty = await readEvents(start)
    expect(empty).toEqual({ events: [], nextAfter: String(BigInt(start) + 2n), missed: true })
    const { paymentId } = await announce()
    const next = await readEvents(empty.nextAfter)
    expect(next).toMatchObject({ events: [{ data: { paymentId } }], missed: false })
    expect(next.nextAfter).toBe(String(BigInt(start) + 3n))
  })

  test('after one that is not old stay, so that what is stored has no gaps', async () => {
    await advance('P40D')
    const ahead = await announce()
    await client().moveSandboxClock({ body: { reset: true } })
    const behind = await announce()
    await advance('P35D')
    expect(await forget()).toEqual([])
    const { events } = await readEvents()
    expect(events.map(({ data }) => ('paymentId' in data ? data.paymentId : undefined))).toEqual([
      ahead.paymentId,
      behind.paymentId,
    ])
  })

  test('that were created under a clock which was moved ahead and back are deleted after 30 days of wall time', async () => {
    await advance('P400D')
    const { occurredAt } = await announce()
    await client().moveSandboxClock({ body: { reset: true } })
    const { clock } = webhooks.gateway.context
    expect(Temporal.Instant.compare(occurredAt, clock.now())).toBe(1)
    const aged = lowestIdAt(clock.real().subtract({ hours: 24 * 30, minutes: 1 }))
    await sql('update events set stamp = $1', [aged])
    expect(await forget()).toEqual([1])
  })

  test('of one partner are deleted in batches, and those of other partners stay', async () => {
    const other = newId()
    for (const whose of [partnerId, other]) {
      await enqueueStatusChange(webhooks.gateway, whose)
    }
    const [last] = await sql<{ position: bigint }>(
      `with added as (
         insert into events select partner_id, position + n, gen_random_uuid(), type, version, subject_id,
           occurred_at - interval '40 days', body from events, generate_series(1, 1200) n where partner_id = $1
         returning position)
       update event_positions set position = (select max(position) from added) where partner_id = $1
       returning position`,
      [partnerId],
    )
    await sql(`update events set occurred_at = occurred_at - interval '40 days' where partner_id = $1`, [partnerId])
    expect(await forget()).toEqual([500, 500, 201])
    expect(await readEvents('0')).toEqual({ events: [], nextAfter: String(last?.position), missed: true })
    expect(await sql('select partner_id as whose from events')).toEqual([{ whose: other }])
  })
})

describe('deliveries', () => {
  test('are deleted after 30 days by business time, but not pending ones', async () => {
    const subscription = await webhooks.subscribe('/kept')
    await announce()
    await webhooks.gateway.sweep()
    await advance('P29D')
    await announce()
    await webhooks.gateway.sweep()
    expect(await forget()).toEqual([])
    await advance('P2D')
    await announce()
    await sql(`update webhook_deliveries set created_at = created_at - interval '60 days' where status = 'Queued'`)
    // One delivery, and the event of the first.
    expect((await forget()).reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(await statusesOf(subscription)).toEqual(['Queued', 'Delivered'])
  })

  test('that were created under a clock which was moved ahead and back are deleted after 30 days of wall time', async () => {
    const subscription = await webhooks.subscribe('/ahead')
    await advance('P400D')
    await announce()
    await webhooks.gateway.sweep()
    await client().moveSandboxClock({ body: { reset: true } })
    expect(await forget()).toEqual([])
    const old = lowestIdAt(webhooks.gateway.context.clock.real().subtract({ hours: 24 * 30, minutes: 1 }))
    await sql('update webhook_deliveries set id = $1', [old])
    expect(await forget()).toEqual([1])
    expect(await statusesOf(subscription)).toEqual([])
  })

  test('of one subscription are deleted in batches, also after many pending ones', async () => {
    const subscription = await webhooks.subscribe('/batches')
    await announce()
    await sql(
      `insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
         body, status, ready, due_at, created_at)
       select partner_id, subscription_id, (lpad(to_hex(n), 12, '0') || left(repeat('0', 20), 20))::uuid,
         endpoint_version, origin, event_id, event_type, body, case when n <= 600 then 'Queued' else 'Delivered' end,
         false, case when n <= 600 then due_at + interval '1 hour' end, created_at - interval '40 days'
       from webhook_deliveries, generate_series(1, 1800) n`,
    )
    expect(await forget()).toEqual([500, 500, 200])
    expect(new Set(await statusesOf(subscription))).toEqual(new Set(['Queued']))
  })
})

describe('a version of an endpoint', () => {
  test('that was replaced is deleted when no delivery refers to it any more, and not within the hour', async () => {
    const beforeDelivery = lowestIdAt(webhooks.gateway.context.clock.real())
    const subscription = await webhooks.subscribe('/versions')
    const params = { id: subscription.id }
    await announce()
    await client().rotateWebhookSigningSecret({ params })
    await client().rotateWebhookSigningSecret({ params })
    expect(await forget()).toEqual([])
    expect(await versionsOf(subscription)).toEqual([1, 2, 3])

    await sql('update webhook_endpoints set referenced_below_id = $1 where referenced_below_id is not null', [newId()])
    await sql('update webhook_endpoints set referenced_below_id = $1 where version = 2', [beforeDelivery])
    await webhooks.gateway.sweep()
    expect(await forget()).toEqual([1])
    expect(await versionsOf(subscription)).toEqual([1, 3])
    const { deliveries } = await client().listWebhookDeliveries({ params })
    const one = { id: subscription.id, deliveryId: deliveries[0]?.id ?? '' }
    expect(await client().getWebhookDelivery({ params: one })).toMatchObject({ status: 'Delivered' })

    await advance('P31D')
    // The event and its delivery; the version that it referred to.
    expect((await forget()).reduce((sum, count) => sum + count, 0)).toBe(3)
    expect(await versionsOf(subscription)).toEqual([3])
    await announce()
    await webhooks.gateway.sweep()
    expect(await statusesOf(subscription)).toEqual(['Delivered'])
  })
})

describe('a disabled subscription', () => {
  test('stays in the list, and its secrets are deleted 30 days later, once its log is empty', async () => {
    const [ended, busy, enabled] = [
      await webhooks.subscribe('/ended'),
      await webhooks.subscribe('/busy'),
      await webhooks.subscribe('/enabled'),
    ]
    await announce()
    await sql('delete from webhook_deliveries where subscription_id = $1', [ended.id])
    await sql(`update webhook_deliveries set due_at = due_at + interval '90 days', ready = false`)
    for (const { id } of [ended, busy]) {
      await client().disableWebhookSubscription({ params: { id } })
    }
    await advance('P29D')
    const listed = async () => (await client().listWebhookSubscriptions()).map(({ id }) => id).toSorted()
    const all = [ended.id, busy.id, enabled.id].toSorted()
    const withSecrets = async () => {
      const rows = await sql<{ id: string }>(
        'select subscription_id as id from webhook_endpoints where signing_secret_sealed is not null',
      )
      return rows.map(({ id }) => id).toSorted()
    }
    await client().rotateWebhookBearerToken({ params: { id: ended.id }, body: { bearerToken: 'b'.repeat(32) } })
    await forget()
    expect(await withSecrets()).toEqual([...all, ended.id].toSorted())
    await advance('P31D')
    // Its first version, and the secrets of the second.
    await sql('update webhook_endpoints set referenced_below_id = $1 where referenced_below_id is not null', [newId()])
    await forget()
    expect(await withSecrets()).toEqual([busy.id, enabled.id].toSorted())
    expect(await sql('select 1 from webhook_endpoints where bearer_token_sealed is not null')).toEqual([])
    expect(await listed()).toEqual(all)
    const params = { id: ended.id }
    const { targetUrl, eventTypes } = ended
    const moved = { targetUrl: `${targetUrl}/moved`, eventTypes }
    expect(await client().updateWebhookSubscription({ params, body: moved })).toMatchObject({
      enabled: false,
      targetUrl: moved.targetUrl,
    })
    await client().rotateWebhookSigningSecret({ params })
    expect(await client().getWebhookSubscription({ params })).toMatchObject({ enabled: false })
  })
})
