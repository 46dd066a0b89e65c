/** Builds the HTTP request of a call from its contract entry. */
import type { Operation } from '../contract/operation.ts'

/** The user's current session, as the partner forwards it. */
export type PsuSession = {
  /** The IP address of the current session; never a stored one. */
  readonly ipAddress: string
  readonly userAgent: string
  /** Further headers for the bank, such as `PSU-Accept-Language`. */
  readonly headers?: { readonly [name in `PSU-${string}`]: string }
}

/** The untyped form of a call; the typed methods ensure that it has the right fields. */
export type Call = {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
  readonly consentId?: string | undefined
  readonly psu?: PsuSession | undefined
  readonly idempotencyKey?: string | undefined
  /** The media type of the response where it is not JSON. */
  readonly accept?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The base URLs of an environment. */
export type Addresses = { readonly [server in Operation['server']]: string }

/** The URL of a call, with its parameters encoded. */
export function urlOf(entry: Operation, call: Call, addresses: Addresses): string {
  const params = new Map(Object.entries(call.params ?? {}))
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodePathParameter(name, params.get(name)))
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
  return `${addresses[entry.server].replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`
}

/** Encodes a parameter as one path segment. Dots alone would address another path, even when encoded. */
function encodePathParameter(name: string, value: unknown): string {
  const part = typeof value === 'string' ? value : ''
  if (/^\.{0,2}$/.test(part)) {
    throw new TypeError(`${name} must be the text of an id, not ${JSON.stringify(value)}`)
  }
  return encodeURIComponent(part)
}

export function headersOf(entry: Operation, call: Call, userAgent: string): Headers {
  const headers = new Headers({ accept: call.accept ?? 'application/json', 'user-agent': userAgent })
  const { consentId, psu, idempotencyKey } = call
  const stated: readonly (readonly [string, string | undefined])[] = [
    ['consent-id', consentId],
    ['PSU-IP-Address', psu?.ipAddress],
    ['PSU-User-Agent', psu?.userAgent],
    ...Object.entries(psu?.headers ?? {}),
    ['Idempotency-Key', idempotencyKey],
    ['content-type', contentTypeOf(entry)],
  ]
  for (const [name, value] of stated) {
    if (value !== undefined) {
      headers.set(name, value)
    }
  }
  return headers
}

export function bodyOf(entry: Operation, { body }: Call): string | null {
  if (entry.body === undefined) {
    return null
  }
  const isForm = entry.bodyType === 'form'
  return isForm ? new URLSearchParams(Object.entries(body ?? {})).toString() : JSON.stringify(body)
}

function contentTypeOf({ body, bodyType }: Operation): string | undefined {
  if (body === undefined) {
    return undefined
  }
  return bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
}
