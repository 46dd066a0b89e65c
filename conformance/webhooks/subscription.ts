/** Subscribes to events at a receiver that the server can reach: the run's own, or the inbox of a sandbox. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookSelection, WebhookSubscriptionWithSecret } from '../../contract/webhooks/webhook-subscriptions.ts'
import { type CheckContext, NotApplicable } from '../check.ts'
import { parseJson } from '../http/recording-client.ts'
import { subject } from '../subjects/subject.ts'

/** Where deliveries arrive. */
type Endpoint = {
  /** A URL of its own for a subscription, if the endpoint has several. */
  urlOf(name: string): string
  receivedAt(url: string): Promise<readonly ReceivedDelivery[]>
  /** Undefined for an inbox, which always accepts. */
  readonly receiver: WebhookReceiver | undefined
}

/** A subscription, and what it has received. */
export type Subscription = WebhookSubscriptionWithSecret & {
  deliveries(): Promise<readonly ReceivedDelivery[]>
  /** Sets the status with which the receiver answers. Throws `NotApplicable` where it always accepts. */
  respond(status: number, headers?: Readonly<Record<string, string>>): void
}

const PAYMENT_EVENTS: readonly WebhookSelection[] = ['PAYMENT_STATUS']
let subscribed = 0

/** The run's receiver if a test delivery arrives there, or the inbox. */
const endpoint = subject(async (context: CheckContext): Promise<Endpoint> => {
  const { webhookUrl, webhookPort, isSandbox } = context.target
  const receiver = await openReceiver(webhookUrl, webhookPort)
  context.cleanUp(receiver.close)
  const reason = await unreachableReason(context, receiver)
  if (reason === undefined) {
    const receivedAt = async (url: string) => receiver.received.filter(({ path }) => `${receiver.url}${path}` === url)
    return { urlOf: (name) => `${receiver.url}/${name}`, receivedAt, receiver }
  }
  const inbox = isSandbox ? await context.call('openSandboxInbox', { body: undefined }) : undefined
  if (inbox?.status !== 200) {
    throw new NotApplicable(
      `The server does not reach ${receiver.url} (${reason}): give a public URL that leads here with --webhook-url and --webhook-port`,
    )
  }
  const { url } = Object(inbox.body)
  const receivedAt = async () =>
    (await context.succeed('listSandboxInboxDeliveries'))
      .toReversed()
      .map(({ headers, body }) => ({ path: '', headers, body, event: parseJson(body) }))
  return { urlOf: () => url, receivedAt, receiver: undefined }
})

async function unreachableReason(context: CheckContext, receiver: WebhookReceiver): Promise<string | undefined> {
  const body = { targetUrl: `${receiver.url}/reachable`, eventTypes: PAYMENT_EVENTS }
  const created = await context.call('createWebhookSubscription', { body })
  if (created.status !== 201) {
    return String(Object(created.body).message ?? created.status)
  }
  const params = { id: String(Object(created.body).id) }
  const disable = () => context.call('disableWebhookSubscription', { params })
  context.cleanUp(disable)
  const { error } = await context.succeed('testWebhookSubscription', { params })
  await disable()
  return receiver.received.some(({ path }) => path === '/reachable') ? undefined : (error ?? 'no delivery has arrived')
}

/** Subscribes to events, by default to every change of a payment's status. It is disabled when the run ends. */
export async function subscribe(
  context: CheckContext,
  eventTypes: readonly WebhookSelection[] = PAYMENT_EVENTS,
): Promise<Subscription> {
  const { urlOf, receivedAt, receiver } = await endpoint(context)
  subscribed += 1
  const path = `subscription-${subscribed}`
  const targetUrl = urlOf(path)
  const created = await context.succeed('createWebhookSubscription', { body: { targetUrl, eventTypes } })
  context.cleanUp(() => context.call('disableWebhookSubscription', { params: { id: created.id } }))
  return {
    ...created,
    deliveries: async () => {
      const received = await receivedAt(targetUrl)
      return received.filter(({ headers }) => [undefined, created.id].includes(headers['x-svc-webhook-subscription']))
    },
    respond: (status, headers) => {
      if (receiver === undefined) {
        throw new NotApplicable('The inbox of the sandbox accepts every delivery: it needs a receiver of its own')
      }
      receiver.respond(`/${path}`, status, headers)
    },
  }
}

/** The signature that a delivery must have: HMAC-SHA256 of timestamp, dot and exact body. */
export function expectedSignature(secret: string, { headers, body }: ReceivedDelivery): string {
  const signed = `${headers['x-svc-webhook-timestamp'] ?? ''}.${body}`
  return `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`
}

export type ReceivedDelivery = {
  readonly path: string
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact body. */
  readonly body: string
  /** The body as JSON; undefined if it is none. */
  readonly event: unknown
}

type WebhookReceiver = {
  /** Without a slash at the end. */
  readonly url: string
  readonly received: readonly ReceivedDelivery[]
  /** Sets the response to deliveries at a path; 204 unless it is set. */
  respond(path: string, status: number, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

const NO_CONTENT = 204
const BODY_BYTES_MAX = 1_000_000

/** Listens on loopback, or on all addresses for a `publicUrl` that leads here; on a free port unless one is given. */
async function openReceiver(publicUrl: string | undefined, port: number | undefined): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = []
  const responses = new Map<string, readonly [status: number, headers: Readonly<Record<string, string>>]>()
  const base = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => {
        const path = (request.url ?? '').slice(base.length)
        received.push({ path, headers: headersOf(request), body, event: parseJson(body) })
        const [status, headers] = responses.get(path) ?? [NO_CONTENT, {}]
        response.writeHead(status, headers).end()
      })
      // What the server has broken off has not arrived.
      .catch(() => response.destroy())
  })
  server.listen(port ?? 0, publicUrl === undefined ? '127.0.0.1' : undefined)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: publicUrl ?? `http://127.0.0.1:${address.port}`,
    received,
    respond: (path, status, headers = {}) => void responses.set(path, [status, headers]),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= BODY_BYTES_MAX) {
      parts.push(part)
    }
  }
  return Buffer.concat(parts).toString()
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}

export function signatureProblems(secret: string, delivery: ReceivedDelivery): readonly string[] {
  const signature = delivery.headers['x-svc-webhook-signature'] ?? 'missing'
  return signature === expectedSignature(secret, delivery)
    ? []
    : [`X-SVC-Webhook-Signature is ${signature}, not the HMAC of timestamp, dot and body with the signing secret`]
}
