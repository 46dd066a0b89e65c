/** Makes partners that subscribed to everything, and payments of theirs whose status then changes as the gateway records it. */

import { createPartner } from '../../gateway/auth/create-partner.ts'
import { openContext } from '../../gateway/composition/open-context.ts'
import { readConfig } from '../../gateway/config/config.ts'
import type { Context } from '../../gateway/context.ts'
import type { Payment } from '../../gateway/orders/payment.ts'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { paymentsUnderWay, settle } from '../../gateway/testing/payments/settle-payments.ts'
import { createHavnClient } from '../../sdk/client.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import type { Endpoints } from './webhook-endpoints.ts'

/** A partner with one endpoint and subscriptions that lead there. */
export type Subscriber = { readonly partnerId: string; readonly origin: string; readonly paths: readonly string[] }

/** A change of status that was recorded: its key, and when the record was certain. */
export type Recorded = { readonly paymentId: string; readonly at: number }

/** What records changes, in this process and by the gateway's own verb. */
export type Recorder = {
  readonly context: Context
  /** Makes payments that wait for the bank's last word; their changes are recorded in the same order. */
  prepare(subscriber: Subscriber, count: number): Promise<readonly Payment[]>
  /** Records that the bank says it is settled. */
  complete(payment: Payment): Promise<Recorded>
  close(): Promise<void>
}

/** Opens the gateway's verbs on the database of a running Havn. */
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
    prepare: ({ partnerId }, count) => paymentsUnderWay(context, partnerId, count),
    complete: async (payment) => {
      await settle(context, payment)
      return { paymentId: payment.id, at: wallMilliseconds() }
    },
    close,
  }
}

/** Makes a partner and its subscriptions, over HTTP as partners do. */
export async function subscribe(
  { context }: Recorder,
  { url }: RunningHavn,
  endpoints: Endpoints,
  { origin, subscriptions }: { readonly origin: string; readonly subscriptions: number },
): Promise<Subscriber> {
  const { partner, credentials } = await createPartner(context, 'bench', { name: `Bench ${newId()}` })
  const client = createHavnClient({ baseUrl: url, environment: 'sandbox', ...credentials })
  const paths = Array.from({ length: subscriptions }, () => `/${newId()}`)
  for (const path of paths) {
    const { signingSecret } = await client.createWebhookSubscription({
      body: { targetUrl: `${origin}${path}`, eventTypes: ['PAYMENT_STATUS'] },
    })
    endpoints.know(path, signingSecret)
  }
  return { partnerId: partner.id, origin, paths }
}
