/** Runs the process that simulates partners' endpoints, and reads what has arrived. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type EventFamily, eventFamilies } from '../../contract/webhooks/event-types.ts'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { readConfig } from '../../gateway/config/config.ts'
import type { Context } from '../../gateway/context.ts'
import type { Payment } from '../../gateway/orders/payment.ts'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { sandboxClient } from '../../gateway/testing/gateway/sandbox-client.ts'
import { insertPendingPayments, settlePayment } from '../../gateway/testing/payments/settle-payments.ts'
import { openContext } from '../../launcher/roles/open-context.ts'
import type { RunningHavn } from '../environment/running-havn.ts'

export type EndpointBehaviour = 'accept' | Misbehaviour
export type Misbehaviour = 'dead' | 'drip' | 'late'

/** Commands to the process. */
export type EndpointCommand =
  | { readonly kind: 'behave'; readonly manner: Misbehaviour; readonly path: string }
  | { readonly kind: 'know'; readonly path: string; readonly secret: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'report' }

/** Deliveries since the last report: keys are path and payment, times are milliseconds of wall time. */
export type ReceivedDeliveries = { readonly keys: string[]; readonly times: number[]; forged: number }

export type Endpoints = {
  readonly origins: readonly string[]
  /** PEM of the authority that issued their certificates. */
  readonly authority: string
  /** Permanent; deliveries to the path are no longer reported. */
  misbehave(path: string, manner: Misbehaviour): void
  /** Registers the secret that signs deliveries to the path. */
  know(path: string, secret: string): void
  count(): Promise<number>
  /** When each delivery first arrived. Throws when one had an invalid signature. */
  report(): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./webhook-endpoint-process.ts', import.meta.url))

/** Opens this many origins, each with its own port. */
export async function startEndpoints(count: number): Promise<Endpoints> {
  const child = fork(PROGRAM, [String(count)])
  const send = (order: EndpointCommand) => void child.send(order)
  const query = async <Answer>(order: EndpointCommand): Promise<Answer> => {
    const answered = once(child, 'message')
    send(order)
    return (await answered)[0]
  }
  const [opened] = await once(child, 'message')
  return {
    ...opened,
    misbehave: (path, manner) => send({ kind: 'behave', path, manner }),
    know: (path, secret) => send({ kind: 'know', path, secret }),
    count: async () => (await query<{ count: number }>({ kind: 'count' })).count,
    report: async () => firstDeliveryTimes(await query<ReceivedDeliveries>({ kind: 'report' })),
    close: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function firstDeliveryTimes({ keys, times, forged }: ReceivedDeliveries): ReadonlyMap<string, number> {
  if (forged > 0) {
    throw new Error(`${forged} deliveries were not signed as they must be`)
  }
  const firsts = new Map<string, number>()
  for (const [at, key] of keys.entries()) {
    firsts.set(key, Math.min(firsts.get(key) ?? Number.POSITIVE_INFINITY, times[at] ?? Number.NaN))
  }
  return firsts
}

/** A subscription that selects as much as it can costs most where its events are looked up. */
const ALL_FAMILIES = Object.keys(eventFamilies) as EventFamily[]

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
  const client = sandboxClient(url, credentials)
  const paths = Array.from({ length: subscriptions }, () => `/${newId()}`)
  for (const path of paths) {
    const { signingSecret } = await client.createWebhookSubscription({
      body: { targetUrl: `${origin}${path}`, eventTypes: ALL_FAMILIES },
    })
    endpoints.know(path, signingSecret)
  }
  return { partnerId: partner.id, origin, paths }
}
