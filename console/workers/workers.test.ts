/** Tests the page of workers and queues: processes that run, what is due, and webhook queues through their index. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { recordRunningProcess } from '../../gateway/platform/jobs/running-process.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { demoPartnerId, enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../gateway/testing/webhooks/webhook-gateway.ts'
import { COUNTED_DELIVERIES_MAX, deliveryQueuesQuery } from '../../gateway/webhooks/deliveries/list-delivery-queues.ts'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())
beforeEach(() => sql('truncate running_processes'))

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await webhooks.gateway.context.database.pool.query(text, [...values])).rows
const shown = async () => textOf(await (await signInAs(webhooks.gateway, 'operator-reader')).open('/console/workers'))

describe('processes', () => {
  it('are listed while they run, and a missing worker is an alert', async () => {
    expect(await shown()).toMatch(/No worker was seen .* No process was seen in the last day/)
    const gateway = await recordRunningProcess(webhooks.gateway.context, 'gateway')
    const worker = await recordRunningProcess(webhooks.gateway.context, 'worker')
    const text = await shown()
    expect(text).toMatch(
      /Last seen wall time, CET\/CEST gateway running .* worker running \d+\.\d+\.\d+\S* \S+ \d+ \d{2}\./,
    )
    expect(text).not.toContain('No worker was seen')
    await worker.stop()
    expect(await shown()).toMatch(/No worker was seen/)
    await gateway.stop()
    expect(await sql('select 1 from running_processes')).toEqual([])
  })

  it('that were killed are not running after a minute, and are forgotten after a day', async () => {
    const { context } = webhooks.gateway
    const killed = await recordRunningProcess(context, 'worker')
    await sql(`update running_processes set id = $1, seen_at = seen_at - interval '61 seconds'`, [newId()])
    expect(await shown()).toMatch(/No worker was seen .* worker not seen lately/)
    await sql(`update running_processes set seen_at = seen_at - interval '1 day'`)
    const other = await recordRunningProcess(context, 'gateway')
    expect(await sql('select role from running_processes')).toEqual([{ role: 'gateway' }])
    await Promise.all([killed.stop(), other.stop()])
  })
})

it('jobs are listed with what is due, the one that waits longest first', async () => {
  const { context } = webhooks.gateway
  await sql(`insert into payment_count_positions (partner_id, due_at) values ($1, '2026-01-02T03:04:05Z')`, [newId()])
  expect(await shown()).toMatch(
    /Job Due wall time, CET\/CEST Next payment counts since 02\.01\.2026 04:04:05 \(wall time\)/,
  )
  const due = context.clock.real().add({ hours: 1 }).toString()
  await sql('update payment_count_positions set due_at = $1', [due])
  expect(await shown()).not.toMatch(/payment counts since/)
  await sql('truncate payment_count_positions')
})

describe('webhook queues', () => {
  it('are listed by partner and origin with their length, and since when the oldest waits', async () => {
    await webhooks.subscribe('/queued')
    const partnerId = await demoPartnerId(webhooks.gateway)
    expect(await shown()).toContain('No delivery waits for an attempt.')
    await enqueueStatusChange(webhooks.gateway, partnerId)
    await enqueueStatusChange(webhooks.gateway, partnerId)
    await sql(`update webhook_deliveries set created_at = '2026-01-02T03:04:05Z' where id = (
      select id from webhook_deliveries order by sequence limit 1)`)
    expect(await shown()).toMatch(/Demo partner https?:\S+ 2 02\.01\.2026 04:04:05/)
  })

  it('are read one by one, each at most up to a limit', async () => {
    const { partner } = await createPartner(webhooks.gateway.context, 'test', { name: newId() })
    await sql(
      `insert into webhook_deliveries overriding system value select (jsonb_populate_record(null::webhook_deliveries, to_jsonb(d) || jsonb_build_object('partner_id', $1::text, 'id', uuidv7(),
         'origin', 'https://busy.example', 'sequence', d.sequence + n, 'ready', n > 2000))).*
       from (select * from webhook_deliveries limit 1) d, generate_series(1, 4000) n`,
      [partner.id],
    )
    await sql('analyze webhook_deliveries')
    const query = deliveryQueuesQuery(10).compile(webhooks.gateway.context.database.query)
    const [row] = await sql(`explain (analyze, format json) ${query.sql}`, query.parameters)
    const plan = JSON.stringify(row)
    expect(plan).not.toContain('Seq Scan')
    expect(plan.match(/webhook_deliveries_ready/g)?.length).toBe(3)
    expect(await shown()).toMatch(/https:\/\/busy\.example 1 000 or more/)
    expect(COUNTED_DELIVERIES_MAX).toBe(1_000)
  })
})
