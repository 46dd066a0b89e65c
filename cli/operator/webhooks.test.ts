/** Tests `havn webhooks` on the command line, with a gateway that has delivered events. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { type CommandResult, runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { demoPartnerId, enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../gateway/testing/webhooks/webhook-gateway.ts'

/** Each command is a process of its own; a busy machine takes seconds for one. */
const TEST_MILLISECONDS = 90_000
const LONG_AGO = '2020-01-01'
let webhooks: WebhookGateway
let partner: string
let partnerId: string
let subscription: string

beforeAll(async () => {
  webhooks = await startWebhookGateway()
  partnerId = await demoPartnerId(webhooks.gateway)
  const { pool } = webhooks.gateway.context.database
  const { rows } = await pool.query<{ name: string }>('select name from partners where id = $1', [partnerId])
  partner = rows[0]?.name ?? ''
  subscription = (await webhooks.subscribe('/hooks')).id
  await enqueueStatusChange(webhooks.gateway, partnerId, 'InProgress')
  await enqueueStatusChange(webhooks.gateway, partnerId, 'Completed')
  await webhooks.gateway.sweep()
})
afterAll(() => webhooks.close())

async function havn(...words: string[]): Promise<CommandResult> {
  const DATABASE_URL = webhooks.gateway.connectionString
  const env = { DATABASE_URL, HAVN_OPERATOR: 'Ingrid' }
  return await runHavnCommand(['webhooks', ...words], env)
}

describe('havn webhooks', { timeout: TEST_MILLISECONDS }, () => {
  it('prints subscriptions and deliveries without secrets', async () => {
    const listed = await havn('list', partner)
    expect(listed.out).toMatch(new RegExp(`${subscription}\\s+enabled\\s+-\\s+PAYMENT_STATUS\\s+https://127`))
    const { out } = await havn('deliveries', partner, subscription, '--status', 'delivered')
    expect(out.match(/Delivered\s+1\s+-\s+-/g)).toHaveLength(2)
    expect((await havn('deliveries', partner, subscription, '--status', 'failed')).out).toBe('No deliveries.\n')
  })

  it('replays events since a time in new deliveries, each once, and records the operator', async () => {
    const before = webhooks.receiver.received.length
    const dry = await havn('replay', '--since', LONG_AGO, '--partner', partner, '--dry-run')
    expect(dry).toEqual({ code: 0, error: '', out: `${partner}: 2 deliveries would be queued, of 2 events.\n` })
    await webhooks.gateway.sweep()
    expect(webhooks.receiver.received).toHaveLength(before)

    const done = await havn('replay', '--since', LONG_AGO)
    expect(done).toEqual({ code: 0, error: '', out: `${partner}: 2 deliveries queued, of 2 events.\n` })
    await webhooks.gateway.sweep()
    const received = webhooks.receiver.received.map(({ body, headers }) => ({
      event: JSON.parse(body.toString()).id,
      delivery: headers['x-svc-webhook-id'],
    }))
    expect(received).toHaveLength(before + 2)
    expect(new Set(received.map(({ event }) => event)).size).toBe(2)
    expect(new Set(received.map(({ delivery }) => delivery)).size).toBe(4)
    const { rows } = await webhooks.gateway.context.database.pool.query(
      `select actor, action, detail from audit_log where action like 'webhook%replay%' order by id`,
    )
    const [actor, since] = ['system user Ingrid', '2020-01-01T00:00:00Z']
    expect(rows).toEqual([
      { actor, action: 'webhook replay begun', detail: { since, first: '1', last: '2' } },
      { actor, action: 'webhook events replayed', detail: { since, events: 2, deliveries: 2 } },
    ])
  })

  it('replays events that occurred at or after a time, in whatever order they were recorded', async () => {
    const { partner: other } = await createPartner(webhooks.gateway.context, 'test', { name: 'Fiskeskjær ERP' })
    const times = ['2026-01-01T10:00:00Z', '2026-01-03T10:00:00Z', '2026-01-02T10:00:00Z', '2026-01-04T10:00:00Z']
    for (const time of times) {
      await enqueueStatusChange(webhooks.gateway, other.id, 'InProgress', { occurredAt: Temporal.Instant.from(time) })
    }
    const replay = (since: string, ...until: string[]) =>
      havn('replay', '--since', since, ...until, '--partner', other.name, '--dry-run')
    expect((await replay('2026-01-03T10:00:00Z')).out).toBe(
      `${other.name}: 0 deliveries would be queued, of 2 events.\n`,
    )
    expect((await replay('2026-01-02T00:00:00Z')).out).toBe(
      `${other.name}: 0 deliveries would be queued, of 3 events.\n`,
    )
    expect((await replay('2026-01-01', '--until', '2026-01-02')).out, 'the day is included').toContain('of 2 events')
    expect((await replay('2026-01-02', '--until', '2026-01-03T10:00:00Z')).out, 'exclusive').toContain('of 1 events')
    expect((await replay('2026-01-05T00:00:00Z')).out).toBe(
      `${other.name}: 0 deliveries would be queued, of 0 events.\n`,
    )
  })

  it('replays no earlier events, and only to the given subscription', async () => {
    const other = await webhooks.subscribe('/other')
    const later = await havn('replay', '--since', '2100-01-01', '--partner', partner)
    expect(later.out).toBe(`${partner}: 0 deliveries queued, of 0 events.\n`)
    await havn('replay', '--since', LONG_AGO, '--partner', partner, '--subscription', other.id)
    const before = webhooks.receiver.received.filter(({ path }) => path === '/hooks').length
    await webhooks.gateway.sweep()
    expect(webhooks.receiver.received.filter(({ path }) => path === '/hooks')).toHaveLength(before)
    expect(webhooks.receiver.received.filter(({ path }) => path === '/other')).toHaveLength(2)
  })

  it.each([
    [['replay'], "required option '--since <time>' not specified"],
    [['replay', '--since', 'yesterday'], '--since must be a day or an instant'],
    [['replay', '--since', '2026-01-02', '--until', 'now'], '--until must be a day or an instant'],
    [['replay', '--since', '2026-01-02', '--until', '2026-01-01'], '--until must be after --since'],
    [['replay', '--since', LONG_AGO, '--partner', 'Nobody'], 'Unknown partner Nobody'],
    [['replay', '--since', LONG_AGO, '--subscription', 'x'], '--subscription requires --partner'],
    [['list', 'Nobody'], 'Unknown partner Nobody'],
  ])('rejects %j with the error, and no stack', async (words, wrong) => {
    const { code, error } = await havn(...words)
    expect(code).toBe(1)
    expect(error).toContain(wrong)
    expect(error).not.toMatch(/\bat .*\.ts/)
  })

  it('rejects an invalid subscription id, that of another partner or of a paused one, and an invalid status or limit', async () => {
    const { id: paused } = await webhooks.subscribe('/paused')
    await webhooks.gateway.client.pauseWebhookSubscription({ params: { id: paused } })
    const rejections = [
      await havn('deliveries', partner, 'x'),
      await havn('deliveries', partner, partnerId),
      await havn('deliveries', partner, subscription, '--status', 'lost'),
      await havn('deliveries', partner, subscription, '--limit', '0'),
      await havn('replay', '--since', LONG_AGO, '--partner', partner, '--subscription', partnerId),
      await havn('replay', '--since', LONG_AGO, '--partner', partner, '--subscription', paused),
    ]
    expect(rejections.map(({ code, error }) => [code, error])).toEqual([
      [1, 'havn: x is not a subscription id; havn webhooks list prints the ids\n'],
      [1, 'havn: There is no webhook subscription with this id\n'],
      [1, 'havn: --status must be one of Queued, Delivered, Failed, Refused, not lost\n'],
      [1, 'havn: --limit must be between 1 and 500, not 0\n'],
      [1, 'havn: There is no webhook subscription with this id\n'],
      [1, 'havn: This webhook subscription is paused. Resume it first\n'],
    ])
  })
})
