/** Measures PostgreSQL's processor time for recording one status change, with its history, event and delivery. */
import { readFile } from 'node:fs/promises'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import type { Payment } from '../../gateway/orders/payment.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { sandboxClient } from '../../gateway/testing/gateway/sandbox-client.ts'
import { insertPendingPayments, settlePayment } from '../../gateway/testing/payments/settle-payments.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { atMost, median } from '../figures.ts'
import { openRecorder, type Recorder } from '../webhooks/webhook-endpoints.ts'

/** The number of rounds, and the changes in each; PostgreSQL plans the first few executions on each connection. */
export type StatusChangePlan = { readonly rounds: number; readonly changes: number; readonly warmUpChanges: number }

const NANOSECONDS_PER_MILLISECOND = 1_000_000
/** Nothing listens there: deliveries are enqueued, and fail. */
const TARGET_URL = 'https://127.0.0.1:1/'

/**
 * Milliseconds per change, the median over the rounds: the time for which the connections' server processes ran, one
 * change after the other.
 */
export async function measureStatusChangeCost(havn: RunningHavn, plan: StatusChangePlan): Promise<string> {
  const recorder = await openRecorder(havn)
  try {
    const partnerId = await subscribedPartner(recorder, havn)
    await settleAll(recorder, await insertPendingPayments(recorder.context, partnerId, plan.warmUpChanges))
    const costs: number[] = []
    for (let round = 0; round < plan.rounds; round += 1) {
      costs.push(await costOfMany(recorder, partnerId, plan.changes))
    }
    const cost = median(costs)
    const figure = Number.isNaN(cost) ? 'unknown on this system' : atMost(cost, 0.5, { unit: ' ms', decimals: 2 })
    return `A status change with its event and delivery takes PostgreSQL ${figure}`
  } finally {
    await recorder.close()
  }
}

async function subscribedPartner({ context }: Recorder, { url }: RunningHavn): Promise<string> {
  const { partner, credentials } = await createPartner(context, 'bench', { name: `Bench ${newId()}` })
  const client = sandboxClient(url, credentials)
  await client.createWebhookSubscription({ body: { targetUrl: TARGET_URL, eventTypes: ['PAYMENT_STATUS'] } })
  return partner.id
}

/** Creating the payments is not part of it. */
async function costOfMany(recorder: Recorder, partnerId: string, changes: number): Promise<number> {
  const payments = await insertPendingPayments(recorder.context, partnerId, changes)
  const before = await processorTime(recorder)
  await settleAll(recorder, payments)
  return ((await processorTime(recorder)) - before) / changes
}

async function settleAll({ context }: Recorder, payments: readonly Payment[]): Promise<void> {
  for (const payment of payments) {
    await settlePayment(context, payment)
  }
}

/** Milliseconds for which the server processes of this program's connections have run. */
async function processorTime({ context }: Recorder): Promise<number> {
  const { rows } = await context.database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and application_name = current_setting('application_name')`,
  )
  const times = await Promise.all(rows.map(({ pid }) => readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => 'NaN')))
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / NANOSECONDS_PER_MILLISECOND
}
