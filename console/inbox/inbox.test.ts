/** Tests the webhook inbox: what it accepts, verifies and shows, for whom, and how much it stores. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { lowestIdAt, newId } from '../../gateway/platform/ids.ts'
import { signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId, enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import {
  deleteOldInboxDeliveries,
  INBOX_DELIVERIES_MAX,
  openInbox,
  readInboxVersions,
} from '../../gateway/webhooks/inbox/inbox.ts'
import { rotateSigningSecret, updateSubscription } from '../../gateway/webhooks/subscriptions/change-subscription.ts'
import { createSubscription } from '../../gateway/webhooks/subscriptions/create-subscription.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await gateway.context.database.pool.query(text, [...values])).rows

/** A partner with a subscription of its inbox. */
async function subscribedPartner() {
  const { context } = gateway
  const partnerId = (await createPartner(context, 'test', { name: newId() })).partner.id
  const url = await openInbox(context, partnerId)
  const eventTypes = ['PAYMENT_STATUS' as const]
  const { id, signingSecret } = await createSubscription(context, { partnerId }, { targetUrl: url, eventTypes })
  return { partnerId, url, signingSecret, key: { partnerId, id } }
}

const body = '{"id":"1","type":"webhook.test"}'
const seconds = () => Math.floor(gateway.context.clock.real().epochMilliseconds / 1000)
const signed = (secret: string, timestamp = String(seconds())) => ({
  'x-svc-webhook-timestamp': timestamp,
  'x-svc-webhook-signature': `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
})
const post = async (url: string, headers: Record<string, string>) =>
  (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).status
const pageOf = async (partnerId: string) => {
  const operator = await signInAs(gateway, 'operator')
  return textOf(await operator.open(`/console/inbox?partner=${partnerId}`))
}

describe('the inbox', () => {
  it('is subscribed by a click, tested by another one, and shows what the worker delivers', async () => {
    const browser = await signInAs(gateway, 'partner-developer')
    expect(textOf(await browser.open('/console/inbox'))).toContain('None: nothing is delivered to the inbox yet.')
    const subscribed = await browser.send('/console/inbox/subscribe')
    expect(subscribed.place).toMatch(/\/console\/inbox$/)
    const tested = textOf(await browser.send('/console/inbox/test'))
    expect(tested).toContain('The endpoint accepted the test.')
    expect(tested).toMatch(/webhook\.test .* Signature valid Headers .*x-svc-webhook-signature: v1/)
    await enqueueStatusChange(gateway, await demoPartnerId(gateway))
    await gateway.sweep()
    const shown = textOf(await browser.open('/console/inbox'))
    expect(shown).toMatch(/PAYMENT_STATUS_\w+ .* Signature valid .*paymentId/)
    expect(await sql(`select count(*)::int as count from webhook_subscriptions`)).toEqual([{ count: 1 }])
  })

  it('is subscribed once, however often the button is pressed', async () => {
    const browser = await signInAs(gateway, 'partner-developer')
    await browser.open('/console/inbox')
    await browser.send('/console/inbox/subscribe', { partner: newId() })
    const [{ count }] = await sql(
      `select count(*)::int as count from webhook_subscriptions where partner_id = $1 and enabled`,
      [await demoPartnerId(gateway)],
    )
    expect(count).toBe(1)
  })

  it('shows a partner nothing of another one, and an operator that of all or of one', async () => {
    const { url, signingSecret, partnerId } = await subscribedPartner()
    expect(await post(url, { ...signed(signingSecret), 'x-svc-webhook-event': 'FOREIGN' })).toBe(204)
    const own = await (await signInAs(gateway, 'partner-developer')).open(`/console/inbox?partner=${partnerId}`)
    expect(own.html).not.toContain('FOREIGN')
    const operator = await signInAs(gateway, 'operator-reader')
    expect(textOf(await operator.open('/console/inbox'))).toContain('FOREIGN')
    const ofOne = await operator.open(`/console/inbox?partner=${partnerId}`)
    expect(ofOne.html).toContain(url)
    expect(ofOne.html).not.toContain('/subscribe"')
    expect((await operator.open('/console/inbox?partner=nobody')).status).toBe(422)
    const acting = await signInAs(gateway, 'operator')
    await acting.open('/console/inbox')
    expect(titleOf(await acting.send('/console/inbox/subscribe', { partner: 'nobody' }))).toBe('Nothing was changed')
  })

  it('rejects what is not signed with a secret of its URL, and shows why', async () => {
    const { url, signingSecret, partnerId, key } = await subscribedPartner()
    const old = String(seconds() - 301)
    const requests = [
      [{}, 401, 'Signature or timestamp missing'],
      [signed('another secret'), 401, 'Wrong signature'],
      [{ ...signed(signingSecret), 'x-svc-webhook-signature': 'v1=0' }, 401, 'Wrong signature'],
      [signed(signingSecret, old), 401, 'Timestamp older'],
      [signed(signingSecret, 'today'), 401, 'Timestamp older'],
      [signed(signingSecret), 204, 'Signature valid'],
    ] as const
    for (const [headers, status, shown] of requests) {
      expect(await post(url, headers), shown).toBe(status)
      expect(await pageOf(partnerId)).toMatch(new RegExp(`^.*?Received .*?${shown}`))
    }
    const rotated = await rotateSigningSecret(gateway.context, key)
    expect(await post(url, signed(rotated.signingSecret))).toBe(204)
    expect(await post(url, signed(signingSecret)), 'queued before the rotation').toBe(204)
    const elsewhere = { targetUrl: 'https://partner.example/', eventTypes: ['PAYMENT_STATUS' as const] }
    await updateSubscription(gateway.context, key, elsewhere)
  })

  it('is opened and read over the API, and events are delivered to it again', async () => {
    const { client } = await gateway.otherPartner()
    const { url } = await client.openSandboxInbox()
    expect((await client.openSandboxInbox()).url).toBe(url)
    const [, partnerId = ''] = /inbox\/([^/]+)/.exec(url) ?? []
    await enqueueStatusChange(gateway, partnerId)
    const { id } = await client.createWebhookSubscription({ body: { targetUrl: url, eventTypes: ['PAYMENT_STATUS'] } })
    expect(await client.listSandboxInboxDeliveries()).toEqual([])
    const since = gateway.context.clock.now().subtract({ hours: 1 }).toString()
    const replay = (body: { since: string; until?: string }) => client.replayWebhookEvents({ params: { id }, body })
    // A window ends before an instant, and includes a day.
    expect(await replay({ since: '2026-01-01', until: since })).toEqual({ events: 0, deliveries: 0 })
    const today = gateway.context.clock.today('UTC').toString()
    expect(await replay({ since, until: today })).toEqual({ events: 1, deliveries: 1 })
    await gateway.sweep()
    const [received, ...rest] = await client.listSandboxInboxDeliveries()
    expect([rest, received]).toMatchObject([[], { signature: 'valid', body: expect.stringContaining('paymentId') }])
    const later = gateway.context.clock.real().add({ hours: 1 }).toString()
    expect(await client.listSandboxInboxDeliveries({ query: { receivedSince: later } })).toEqual([])
    await client.disableWebhookSubscription({ params: { id } })
    await expect(replay({ since })).rejects.toMatchObject({ status: 404 })
    for (const wrong of [{ since: '2026-02-30' }, { since, until: '2026-02-30' }, { since, until: since }]) {
      await expect(replay(wrong), JSON.stringify(wrong)).rejects.toMatchObject({ status: 400 })
    }
  })

  it('has no other URL, and masks a bearer token', async () => {
    const { url, signingSecret, partnerId } = await subscribedPartner()
    for (const wrong of [
      `${url}x`,
      url.replace(partnerId, newId()),
      url.replace(partnerId, 'nobody'),
      new URL('/', url).href,
    ]) {
      expect(await post(wrong, signed(signingSecret)), wrong).toBe(404)
    }
    await post(url, { ...signed(signingSecret), authorization: 'Bearer very-secret' })
    const [{ headers }] = await sql('select headers from webhook_inbox_deliveries where partner_id = $1', [partnerId])
    expect(headers.authorization).toBe('Bearer ••••')
  })

  it('stores the newest ones of each partner, for 30 days', async () => {
    const { url, signingSecret, partnerId } = await subscribedPartner()
    await sql(
      `insert into webhook_inbox_deliveries (partner_id, id, received_at, headers, body, signature_status)
       select $1, uuidv7(interval '-1 day' + n * interval '1 second'), '2026-11-01T00:00:00Z', '{}', n::text, 'valid'
       from generate_series(1, $2::int) n`,
      [partnerId, INBOX_DELIVERIES_MAX + 20],
    )
    const before = await readInboxVersions(gateway.context, [partnerId])
    await post(url, signed(signingSecret))
    expect(await readInboxVersions(gateway.context, [partnerId])).not.toEqual(before)
    const stored = () => sql('select body from webhook_inbox_deliveries where partner_id = $1 order by id', [partnerId])
    expect([(await stored()).length, (await stored())[0]?.body]).toEqual([INBOX_DELIVERIES_MAX, '22'])
    await deleteOldInboxDeliveries(gateway.context.database, lowestIdAt(gateway.context.clock.real()), {
      limit: 1_000,
      offset: 0,
    })
    expect(await stored()).toEqual([])
  })
})
