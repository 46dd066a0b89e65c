/** Creates partners with subscriptions, and payments whose status then changes. */

import { type EventFamily, eventFamilies } from '../../contract/webhooks/event-types.ts'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { openContext } from '../../gateway/composition/open-context.ts'
import { readConfig } from '../../gateway/config/config.ts'
import type { Context } from '../../gateway/context.ts'
import type { Payment } from '../../gateway/orders/payment.ts'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { insertPendingPayments, settlePayment } from '../../gateway/testing/payments/settle-payments.ts'
import { createHavnClient } from '../../sdk/index.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import type { Endpoints } from './webhook-endpoints.ts'

/** A subscription that selects as much as it can costs most where its events are looked up. */
const ALL_FAMILIES = Object.keys(eventFamilies) as EventFamily[]

/** A partner with one endpoint and subscriptions to it. */
export type Subscriber = { readonly partnerId: string; readonly origin: string; readonly paths: readonly string[] }

/** A recorded status change: its key, and when its transaction was committed. */
export type Recorded = { readonly paymentId: string; readonly at: number }

/** Records changes in this process, with the gateway's own operations. */
export type Recorder = {
  readonly context: Context
  /** Creates payments that await their final status; their changes are recorded in the same order. */
  prepare(subscriber: Subscriber, count: number): Promise<readonly Payment[]>
  /** Records that the bank has settled the payment. */
  complete(payment: Payment): Promise<Recorded>
  close(): Promise<void>
}

/** Opens the gateway's operations on the database of a running Havn. */
export async function openRecorder(havn: RunningHavn): Promise<Recorder> {
  const config = readConfig({
    HAVN_MODE: 'sandbox',
    DATABASE_URL: havn.connectionString,
    HAVN_MASTER_KEY_FILE: havn.masterKeyFile,
  })
  const log = openLog({ program: 'bench', level: 'silent' })
  const { context, close } = await openContext(config, log, { program: 'havn bench', processMetrics: false })
  return {
    context,
    prepare: ({ partnerId }, count) => insertPendingPayments(context, partnerId, count),
    complete: async (payment) => {
      await settlePayment(context, payment)
      return { paymentId: payment.id, at: wallMilliseconds() }
    },
    close,
  }
}

/** Creates a partner and its subscriptions, over HTTP as partners do. */
export async function subscribe(
  { context }: Recorder,
  { url }: RunningHavn,
  endpoints: Endpoints,
  { origin, subscriptions }: { readonly origin: string; readonly subscriptions: number },
): Promise<Subscriber> {
  const { partner, credentials } = await createPartner(context, 'bench', { name: `Bench ${newId()}` })
  const client = createHavnClient({ baseUrl: url, environment: 'sandbox', maxRetries: 0, ...credentials })
  const paths = Array.from({ length: subscriptions }, () => `/${newId()}`)
  for (const path of paths) {
    const { signingSecret } = await client.createWebhookSubscription({
      body: { targetUrl: `${origin}${path}`, eventTypes: ALL_FAMILIES },
    })
    endpoints.know(path, signingSecret)
  }
  return { partnerId: partner.id, origin, paths }
}
