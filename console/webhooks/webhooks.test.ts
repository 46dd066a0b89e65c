/** Tests the webhooks of the console: subscriptions, deliveries with their attempts, and every action on them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { demoPartnerId, enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../gateway/testing/webhooks/webhook-gateway.ts'
import { isSignedWith } from '../../gateway/testing/webhooks/webhook-receiver.ts'

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
  await pool.query('delete from webhook_deliveries')
  await pool.query('delete from webhook_subscriptions')
})

const user = (role: Parameters<typeof signInAs>[1] = 'partner-developer') => signInAs(webhooks.gateway, role)
const receivedOn = (path: string) => webhooks.receiver.received.filter((each) => each.path === path)
const auditLog = async () =>
  (await webhooks.gateway.context.database.pool.query('select actor, action from audit_log order by id desc limit 1'))
    .rows

async function deliver(): Promise<void> {
  await enqueueStatusChange(webhooks.gateway, partnerId)
  await webhooks.gateway.sweep()
}

describe('a subscription', () => {
  it('is created with its secret shown once, and receives what the secret signs', async () => {
    const browser = await user()
    expect(textOf(await browser.open('/console/webhooks'))).toContain('There is no subscription yet')
    const entered = { targetUrl: `${webhooks.receiver.origin}/created`, eventType: 'PAYMENT_STATUS' }
    // The user clicks twice, and sees the answer to the second click.
    const clicks = [0, 1].map(() => browser.send('/console/webhooks', entered))
    const created = (await Promise.all(clicks))[1] ?? expect.fail('Nothing was answered')
    const secret = /shown only now:<\/p><p>.*?<code>(.*?)<\/code>/.exec(created.html)?.[1] ?? ''
    expect(secret.length).toBeGreaterThan(20)
    expect(await auditLog()).toEqual([
      { actor: 'user Daniel Vik (sandbox partner-developer)', action: 'webhook subscription created' },
    ])
    await deliver()
    const [received, second] = receivedOn('/created')
    expect([received !== undefined && isSignedWith(secret, received), second]).toEqual([true, undefined])
    const list = await browser.open('/console/webhooks')
    expect(list.html.replaceAll('<wbr>', '')).toContain('/created</a>')
    expect(list.html).not.toContain(secret)
  })

  it.each([
    ['http://10.0.0.1/hooks', /targetUrl is not allowed/],
    ['https://user:secret@partner.example/', /targetUrl is not allowed/],
    ['', /targetUrl is not allowed/],
  ])('with the URL %j is rejected next to the field, which still has the value', async (targetUrl, message) => {
    const browser = await user()
    await browser.open('/console/webhooks')
    const page = await browser.send('/console/webhooks', { targetUrl, eventType: 'PAYMENT_STATUS' })
    expect(page.status).toBe(422)
    expect(page.html).toMatch(/aria-invalid="true" aria-describedby="target-url-error"/)
    expect(textOf(page)).toMatch(message)
    expect(textOf(page)).toContain('There is no subscription yet')
  })

  it('is created for several types at once, asks for one where none is chosen, and warns of another to its URL', async () => {
    const browser = await user()
    const { html } = await browser.open('/console/webhooks')
    const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(html) ?? []
    const post = (...types: readonly string[]) =>
      browser.post(
        '/console/webhooks',
        new URLSearchParams([
          ['formToken', formToken],
          ['targetUrl', `${webhooks.receiver.origin}/several`],
          ...types.map((type) => ['eventType', type]),
        ]),
      )
    const none = await post()
    expect([none.status, textOf(none)]).toEqual([422, expect.stringContaining('at least one event type')])
    expect(none.html).toContain('/several')
    expect((await post('PAYMENT_STATUS', 'PAYROLL_STATUS')).status).toBe(403)
    const created = await post('CONSENT_EXPIRING', 'PAYMENT_STATUS')
    expect(textOf(created)).toContain('Event types PAYMENT_STATUS, CONSENT_EXPIRING')
    const rows = await webhooks.gateway.context.database.pool.query('select event_types from webhook_subscriptions')
    expect(rows.rows).toEqual([{ event_types: ['PAYMENT_STATUS', 'CONSENT_EXPIRING'] }])
    expect(textOf(created)).not.toContain('delivers to this URL as well')
    expect(textOf(await post('CONSENT'))).toContain('delivers to this URL as well')
  })

  it('is created by operators for the partner that they choose, and for none without', async () => {
    const browser = await user('operator')
    const fields = { targetUrl: `${webhooks.receiver.origin}/chosen`, eventType: 'PAYMENT_STATUS' }
    await browser.open('/console/webhooks')
    expect((await browser.send('/console/webhooks', { ...fields, partner: 'x' })).status).toBe(422)
    expect(titleOf(await browser.send('/console/webhooks', { ...fields, partner: partnerId }))).toBe(
      'Webhook subscription',
    )
    expect(await auditLog()).toEqual([
      { actor: 'operator Bjørn Moe (sandbox operator)', action: 'webhook subscription created' },
    ])
  })

  it('is tested, and the page says whether the endpoint accepted the test', async () => {
    const { id } = await webhooks.subscribe('/tested')
    const browser = await user()
    await browser.open(`/console/webhooks/${id}`)
    expect(textOf(await browser.send(`/console/webhooks/${id}/test`))).toContain('The endpoint accepted the test.')
    webhooks.receiver.behave((response) => response.writeHead(500).end())
    const failed = await browser.send(`/console/webhooks/${id}/test`)
    expect(textOf(failed)).toMatch(/The test did not succeed: .*500/)
    expect(receivedOn('/tested')).toHaveLength(2)
  })

  it('gets another secret, which signs from then on', async () => {
    const { id, signingSecret } = await webhooks.subscribe('/rotated')
    const browser = await user()
    await browser.open(`/console/webhooks/${id}`)
    // The user clicks twice: the secret that is shown is the only new one.
    const clicks = [0, 1].map(() => browser.send(`/console/webhooks/${id}/rotate-secret`))
    const [secret = '', ofSecondClick] = (await Promise.all(clicks)).map(
      ({ html }) => /shown only now:<\/p><p>.*?<code>(.*?)<\/code>/.exec(html)?.[1],
    )
    expect(ofSecondClick).toBe(secret)
    await deliver()
    const [received] = receivedOn('/rotated')
    expect(received && [isSignedWith(secret, received), isSignedWith(signingSecret, received)]).toEqual([true, false])
  })

  it('gets the events between two days again, and no others', async () => {
    const { id } = await webhooks.subscribe('/replayed')
    await deliver()
    const browser = await user()
    await browser.open(`/console/webhooks/${id}`)
    const today = webhooks.gateway.context.clock.today('Europe/Oslo')
    const none = await browser.send(`/console/webhooks/${id}/replay`, { from: today.add({ days: 1 }).toString() })
    expect(textOf(none)).toContain('0 deliveries of 0 events')
    const [from, to] = [today.subtract({ days: 9 }).toString(), today.subtract({ days: 1 }).toString()]
    const before = await browser.send(`/console/webhooks/${id}/replay`, { from, to })
    expect(textOf(before)).toContain('0 deliveries of 0 events')
    const ofToday = { from: today.toString(), to: today.toString() }
    const clicks = [0, 1].map(() => browser.send(`/console/webhooks/${id}/replay`, ofToday))
    const replayed = (await Promise.all(clicks))[1] ?? expect.fail('Nothing was answered')
    expect(textOf(replayed)).toMatch(/([1-9]\d*) deliveries of \1 events are queued again/)
    await webhooks.gateway.sweep()
    const ids = receivedOn('/replayed').map(({ body }) => JSON.parse(body.toString()).id)
    expect(ids.filter((each) => each === ids[0])).toHaveLength(2)
    const errors = [
      [
        { from: 'yesterday' },
        /value="yesterday"[^>]*aria-describedby="(filter-from-error)"[^>]*>\s*<p class="error" id="\1">Not a date/,
      ],
      [{ from: '' }, /id="filter-from-error">Not a date/],
      [{ from, to: 'x' }, /id="filter-to-error">Not a date/],
      [{ from: to, to: from }, /id="filter-to-error">/],
    ] as const
    for (const [entered, error] of errors) {
      const rejected = await browser.send(`/console/webhooks/${id}/replay`, entered)
      expect([rejected.status, rejected.html]).toEqual([422, expect.stringMatching(error)])
    }
  })

  it('is paused and resumed, which delivers what happened meanwhile', async () => {
    const { id } = await webhooks.subscribe('/paused')
    const browser = await user()
    await browser.open(`/console/webhooks/${id}`)
    const { pool } = webhooks.gateway.context.database
    await pool.query('alter table audit_log rename to audit_log_away')
    expect((await browser.send(`/console/webhooks/${id}/pause`)).status).toBe(500)
    await pool.query('alter table audit_log_away rename to audit_log')
    // What cannot be recorded is not done.
    expect(textOf(await browser.open(`/console/webhooks/${id}`))).toContain('State Enabled')
    const paused = await browser.send(`/console/webhooks/${id}/pause`)
    expect(textOf(paused)).toMatch(/is paused.* State Paused .* Resume/)
    expect(textOf(paused)).not.toContain('Deliver events again')
    await deliver()
    expect(receivedOn('/paused')).toEqual([])
    expect(textOf(await browser.send(`/console/webhooks/${id}/resume`))).toMatch(/is resumed.* State Enabled .* Pause/)
    await webhooks.gateway.sweep()
    expect(receivedOn('/paused')).toHaveLength(1)
    expect(await auditLog()).toEqual([{ actor: expect.any(String), action: 'webhook subscription resumed' }])
  })

  it('that is disabled says so, has no actions any more, and an action on it says why it was rejected', async () => {
    const { id } = await webhooks.subscribe('/disabled')
    const browser = await user()
    await browser.open(`/console/webhooks/${id}`)
    const other = browser.tab()
    await other.open(`/console/webhooks/${id}`)
    const page = await browser.send(`/console/webhooks/${id}/disable`)
    expect(textOf(page)).toContain('State Disabled')
    expect(page.html).not.toContain('/rotate-secret')
    const rejected = await other.send(`/console/webhooks/${id}/rotate-secret`)
    expect([rejected.status, titleOf(rejected)]).toEqual([409, 'Nothing was changed'])
    expect(textOf(rejected)).toContain('The webhook subscription is disabled')
    expect(receivedOn('/disabled')).toEqual([])
  })
})

describe('a delivery', () => {
  it('shows its body and each attempt, and is made again on request, once', async () => {
    const { id } = await webhooks.subscribe('/again')
    webhooks.receiver.behave((response) => response.writeHead(503).end('busy'))
    await deliver()
    const browser = await user()
    const list = await browser.open(`/console/webhooks/${id}?status=Queued`)
    const path = /href="(\/console\/webhooks\/[^"]+\/deliveries\/[^"]+)"/.exec(list.html)?.[1] ?? ''
    const queued = await browser.open(path)
    expect(textOf(queued)).toMatch(/Status Queued .* 503 busy/)
    expect(queued.html).toContain('&#34;occurredAt&#34;')
    expect(queued.html).not.toContain('Deliver again')
    // The attempt that waits for its minute is made now, as one of the schedule.
    expect((await browser.send(`${path}/retry`)).place).toBe(path)
    const [log] = await auditLog()
    expect(log.action).toBe('webhook deliveries attempted')
    await webhooks.gateway.sweep()
    expect(receivedOn('/again')).toHaveLength(2)
    const waiting = await webhooks.gateway.context.database.pool.query(
      'select attempts_made, status, extract(epoch from due_at - now()) > 0 as later from webhook_deliveries',
    )
    expect(waiting.rows).toMatchObject([{ attempts_made: 2, status: 'Queued' }])

    await webhooks.gateway.context.database.pool.query(
      "update webhook_deliveries set status = 'Failed', ready = false, due_at = null",
    )
    webhooks.receiver.behave((response) => response.writeHead(204).end())
    await browser.open(path)
    // The user clicks twice.
    const [first, again = expect.fail()] = await Promise.all([0, 1].map(() => browser.send(`${path}/retry`)))
    expect(again.place).toBe(first?.place)
    expect(textOf(again)).toContain('There was no attempt yet')
    await webhooks.gateway.sweep()
    expect(textOf(await browser.open(again.place))).toMatch(/Status Delivered .* 204/)
    expect(receivedOn('/again')).toHaveLength(3)
  })

  it('is made now with others that are selected, or all that failed are, after a confirmation', async () => {
    const { id } = await webhooks.subscribe('/bulk')
    webhooks.receiver.behave((response) => response.writeHead(503).end())
    for (let n = 0; n < 4; n += 1) {
      await enqueueStatusChange(webhooks.gateway, partnerId)
    }
    await webhooks.gateway.sweep()
    webhooks.receiver.behave((response) => response.writeHead(204).end())
    const { pool } = webhooks.gateway.context.database
    const ids = (await pool.query('select id from webhook_deliveries order by sequence')).rows.map((row) => row.id)
    await pool.query(
      `update webhook_deliveries set status = 'Failed', ready = false, due_at = null where id = any($1)`,
      [ids.slice(0, 2)],
    )
    const browser = await user()
    const path = `/console/webhooks/${id}`
    const page = await browser.open(path)
    expect(page.html.match(/name="delivery"/g)).toHaveLength(4)
    expect((await (await user('partner-finance')).open(path)).status).toBe(403)
    expect((await (await user('operator-reader')).open(path)).html).not.toContain('name="delivery"')
    const none = await browser.send(`${path}/attempt-now`, { which: 'selected' })
    expect([none.status, textOf(none)]).toEqual([422, expect.stringContaining('Select at least one delivery')])

    const selected = { which: 'selected', delivery: ids[2] }
    const asked = await browser.send(`${path}/attempt-now`, selected)
    expect(textOf(asked)).toContain('The selected delivery will be sent to')
    const done = await browser.send(`${path}/attempt-now`, { ...selected, confirmed: 'yes' })
    expect(textOf(done)).toContain('Queued again: 0. Waiting deliveries that are attempted now: 1.')
    await webhooks.gateway.sweep()
    expect(receivedOn('/bulk')).toHaveLength(5)

    const failed = await browser.send(`${path}/attempt-now`, { which: 'failed' })
    expect(textOf(failed)).toContain('2 events whose deliveries failed will be sent to')
    expect(receivedOn('/bulk')).toHaveLength(5)
    const sent = await browser.send(`${path}/attempt-now`, { which: 'failed', confirmed: 'yes' })
    expect(textOf(sent)).toContain('Queued again: 2.')
    expect(await auditLog()).toEqual([
      { actor: 'user Daniel Vik (sandbox partner-developer)', action: 'webhook deliveries attempted' },
    ])
    await webhooks.gateway.sweep()
    expect(receivedOn('/bulk')).toHaveLength(7)
    const again = await browser.send(`${path}/attempt-now`, { which: 'failed', confirmed: 'yes' })
    expect(textOf(again)).toContain('No delivery of this subscription has failed')
  })

  it('is listed by status, and an unknown status is an error next to the field', async () => {
    const { id } = await webhooks.subscribe('/listed')
    await deliver()
    const browser = await user()
    expect(textOf(await browser.open(`/console/webhooks/${id}?status=Failed`))).toContain('No delivery matches')
    expect(textOf(await browser.open(`/console/webhooks/${id}?status=Delivered`))).not.toContain(
      'There are no deliveries.',
    )
    expect(textOf(await browser.open(`/console/webhooks/${id}?status=Lost`))).toContain('Choose one of the statuses')
  })
})
