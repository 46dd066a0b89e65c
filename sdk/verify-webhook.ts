/** Finds out whether a delivery comes from the service: its signature first, and only then what it says. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { wallSeconds } from './wall-clock.ts'
import { readEvent, type WebhookEvent } from './webhook-event.ts'

/** Headers as `fetch` has them, or as Node's server does; names in any letters. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyWebhookOptions = {
  /** How far the delivery's timestamp may be from this machine's clock, either way; 300 unless given. */
  readonly toleranceSeconds?: number
  /** What time it is, in seconds since 1970; for tests. */
  readonly nowSeconds?: () => number
}

export type WebhookVerification =
  | {
      readonly verified: true
      /**
       * The same in each attempt. It is in a header, which is not signed: take it for the log, never to tell duplicates.
       */
      readonly deliveryId: string
      /** Signed as a whole: its `id` tells whether the event was seen before. */
      readonly event: WebhookEvent
    }
  | { readonly verified: false; readonly reason: WebhookRejection }

/** Why a delivery is not to be trusted, or cannot be read although it is genuine. */
export type WebhookRejection =
  | 'missing-header'
  | 'malformed-timestamp'
  | 'timestamp-outside-tolerance'
  | 'malformed-signature'
  | 'wrong-signature'
  | 'malformed-body'

const TOLERANCE_SECONDS = 300
const VERSION = 'v1='
const SIGNATURE = /^v1=[0-9a-f]{64}$/i
const SECONDS = /^\d{1,12}$/

/**
 * Checks a delivery. `rawBody` must be what arrived, byte for byte: parsed and written again it has another signature.
 * While a secret is being rotated, give both: the service signs what it queued before with the old one.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, nowSeconds = wallSeconds }: VerifyWebhookOptions = {},
): WebhookVerification {
  const [id, timestamp, signature] = ['Id', 'Timestamp', 'Signature'].map((name) =>
    headerOf(headers, `X-SVC-Webhook-${name}`),
  )
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return rejected('missing-header')
  }
  if (!SECONDS.test(timestamp)) {
    return rejected('malformed-timestamp')
  }
  if (!(Math.abs(nowSeconds() - Number(timestamp)) <= toleranceSeconds)) {
    return rejected('timestamp-outside-tolerance')
  }
  if (!SIGNATURE.test(signature)) {
    return rejected('malformed-signature')
  }
  const bytes = typeof rawBody === 'string' ? Buffer.from(rawBody, 'utf8') : rawBody
  const given = Buffer.from(signature.slice(VERSION.length), 'hex')
  if (!isSignedByOne(secretsOf(secret), `${timestamp}.`, bytes, given)) {
    return rejected('wrong-signature')
  }
  const event = readEvent(new TextDecoder().decode(bytes))
  return event === undefined ? rejected('malformed-body') : { verified: true, deliveryId: id, event }
}

/** An empty secret would let anybody sign. */
function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.includes('')) {
    throw new TypeError('verifyWebhook needs the signing secret of the subscription')
  }
  return secrets
}

/** Every secret is tried, whichever fits, and each comparison takes the same time wherever the first difference is. */
function isSignedByOne(secrets: readonly string[], prefix: string, body: Uint8Array, given: Buffer): boolean {
  return secrets
    .map((secret) => timingSafeEqual(createHmac('sha256', secret).update(prefix).update(body).digest(), given))
    .includes(true)
}

function rejected(reason: WebhookRejection): WebhookVerification {
  return { verified: false, reason }
}

/** A header that came twice is as good as none: nobody can tell which one was meant. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) {
    return headers.get(name) ?? undefined
  }
  const values = Object.entries(headers)
    .filter(([given]) => given.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
  return values.length === 1 ? values[0] : undefined
}
