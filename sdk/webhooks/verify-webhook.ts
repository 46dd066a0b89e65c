/** Verifies the signature of a webhook delivery, and only then parses its body. */
import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { wallSeconds } from './wall-clock.ts'
import { readEvent, type WebhookEvent } from './webhook-event.ts'

/** Headers of `fetch` or of Node's server; names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyWebhookOptions = {
  /** The permitted difference between the delivery's timestamp and this machine's clock; 300 by default. */
  readonly toleranceSeconds?: number
  /** The current time, in seconds since 1970; for tests. */
  readonly nowSeconds?: () => number
}

export type WebhookVerification =
  | {
      readonly verified: true
      /** The same in each attempt. The header is not signed: use it for logs, never for deduplication. */
      readonly deliveryId: string
      /** The body is signed as a whole: deduplicate by its `id`. */
      readonly event: WebhookEvent
    }
  | { readonly verified: false; readonly reason: WebhookRejection }

/** Why a delivery is not authentic, or is authentic and cannot be parsed. */
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
 * Verifies a delivery. `rawBody` must be the received bytes: parsed and serialised again they have another signature.
 * While a secret is being rotated, pass both: deliveries queued earlier are signed with the old one.
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

/** With an empty secret anyone could forge a signature. */
function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.includes('')) {
    throw new TypeError('verifyWebhook needs the signing secret of the subscription')
  }
  return secrets
}

/** All secrets are compared in constant time, whichever matches. */
function isSignedByOne(secrets: readonly string[], prefix: string, body: Uint8Array, given: Uint8Array): boolean {
  return secrets
    .map((secret) => timingSafeEqual(createHmac('sha256', secret).update(prefix).update(body).digest(), given))
    .includes(true)
}

function rejected(reason: WebhookRejection): WebhookVerification {
  return { verified: false, reason }
}

/** A repeated header is rejected, because its value is ambiguous. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) {
    return headers.get(name) ?? undefined
  }
  const values = Object.entries(headers)
    .filter(([given]) => given.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
  return values.length === 1 ? values[0] : undefined
}

/** By its method, because libraries and test environments have classes of their own. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers['get'] === 'function'
}
