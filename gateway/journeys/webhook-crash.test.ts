/** Kills workers during webhook deliveries: every event arrives with a valid signature; repeats have the same id. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHavnClient, type HavnClient } from '../../sdk/index.ts'
import { createPartner } from '../auth/create-partner.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startWorkerProcess, type WorkerProcess } from '../testing/gateway/role-process.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { insertPendingPayments, settlePayment } from '../testing/payments/settle-payments.ts'
import {
  isSignedWith,
  type Received,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../testing/webhooks/webhook-receiver.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from '../webhooks/deliveries/dispatch/connection-pools.ts'

/** More are killed with `HAVN_WORKERS_KILLED=50`. */
const KILLS = Number(process.env['HAVN_WORKERS_KILLED'] ?? 1)
/** Deliveries between two kills. */
const DELIVERIES_APART = 60
const PAYMENTS_AT_ONCE = 50
const TEST_MILLISECONDS = 90_000 + KILLS * 30_000
const SETTLED = 'PAYMENT_STATUS_COMPLETED'
/**
 * The deliveries of a worker in flight at one endpoint, and those that it has posted and whose outcome it has not yet
 * recorded: one statement in flight when the worker crashed, and one that was being collected meanwhile.
 */
const UNDER_WAY_MAX = CONNECTIONS_PER_ORIGIN_MAX * 3

let gateway: TestGateway
let receiver: WebhookReceiver
let folder: string
let partnerId: string
let client: HavnClient
let start: () => Promise<WorkerProcess>
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  folder = await mkdtemp(join(tmpdir(), 'havn-webhook-crash-'))
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, receiver.authority)
  const settings = { HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', HAVN_WEBHOOK_CA_FILE: authority }
  gateway = await startTestGateway({ settings })
  start = () => startWorkerProcess(gateway.config, settings)
  const { partner, credentials } = await createPartner(gateway.context, 'test', { name: 'Havneby ERP' })
  partnerId = partner.id
  client = createHavnClient({ baseUrl: gateway.url, environment: 'sandbox', maxRetries: 0, ...credentials })
})
afterAll(async () => {
  await receiver.close()
  await gateway.close()
  await rm(folder, { recursive: true })
})

const idOf = ({ headers }: Received) => headers['x-svc-webhook-id'] ?? ''
const eventOf = ({ body }: Received): { id: string; data: { paymentId: string } } => JSON.parse(body.toString())

/** Settles payments one after the other, and delivers as a second worker, until stopped; returns the payments. */
function settleUntil(isOver: () => boolean): Promise<readonly string[]> {
  const run = async () => {
    const settled: string[] = []
    while (!isOver()) {
      for (const payment of await insertPendingPayments(gateway.context, partnerId, PAYMENTS_AT_ONCE)) {
        await settlePayment(gateway.context, payment)
        settled.push(payment.id)
      }
      await gateway.sweep()
    }
    return settled
  }
  return run()
}

async function subscribe(path: string, type: 'PAYMENT_STATUS' | typeof SETTLED): Promise<string> {
  const body = { targetUrl: `${receiver.origin}${path}`, eventTypes: [type] }
  return (await client.createWebhookSubscription({ body })).signingSecret
}

/**
 * Kills one worker after the other, each time during deliveries. Returns the deliveries that were not recorded at a
 * crash: no other may be repeated.
 */
async function killWorkers(first: WorkerProcess, times: number): Promise<ReadonlySet<string>> {
  const cutOff = new Set<string>()
  for (let kill = 0; kill < times; kill += 1) {
    const worker = kill === 0 ? first : await start()
    const before = receiver.received.length
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(before + DELIVERIES_APART))
    await worker.kill()
    for (const id of await queued()) {
      cutOff.add(id)
    }
  }
  return cutOff
}

/** The other worker delivers what the killed ones left, as when their leases have expired. */
async function deliverTheRest(): Promise<void> {
  await gateway.context.database.pool.query(`update webhook_deliveries set lease_until = null where status = 'Queued'`)
  await eventually(async () => {
    await gateway.sweep()
    expect(await queued()).toEqual([])
  })
}

async function queued(): Promise<readonly string[]> {
  const { rows } = await gateway.context.database.pool.query<{ id: string }>(
    `select id from webhook_deliveries where status = 'Queued'`,
  )
  return rows.map(({ id }) => id)
}

test(
  `${KILLS} workers killed during delivery lose nothing, forge nothing, and repeat only what was in flight`,
  async () => {
    const secrets: Record<string, string> = {
      '/every': await subscribe('/every', 'PAYMENT_STATUS'),
      '/settled': await subscribe('/settled', SETTLED),
    }
    const first = await start()
    let isOver = false
    const settling = settleUntil(() => isOver)
    const cutOff = await killWorkers(first, KILLS)
    isOver = true
    const settled = await settling
    await deliverTheRest()

    const { rows: events } = await gateway.context.database.pool.query<{ id: string; body: string }>(
      'select id, body from events where partner_id = $1',
      [partnerId],
    )
    expect(events).toHaveLength(settled.length)
    const bodies = new Map(events.map(({ id, body }) => [id, body]))
    for (const [path, secret] of Object.entries(secrets)) {
      const here = receiver.received.filter((each) => each.path === path)
      expect(new Set(here.map((each) => eventOf(each).data.paymentId))).toEqual(new Set(settled))
      expect(new Set(here.map(idOf)).size).toBe(settled.length)
      expect(here.filter((each) => !isSignedWith(secret, each))).toEqual([])
      expect(here.filter((each) => each.body.toString() !== bodies.get(eventOf(each).id))).toEqual([])
      const seen = new Set<string>()
      const again = here.filter((each) => seen.size === seen.add(idOf(each)).size)
      // Nothing was repeated but what had not been recorded when a worker was killed.
      expect(again.filter((each) => !cutOff.has(idOf(each)))).toEqual([])
      const repeated = again.length
      console.log(`${path}: ${settled.length} events, ${repeated} deliveries came again`)
      expect(repeated).toBeLessThanOrEqual(KILLS * UNDER_WAY_MAX)
    }
  },
  TEST_MILLISECONDS,
)
