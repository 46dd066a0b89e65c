/** Builds the HTTP request of a call from the entry of its operation. */
import type { Call } from './call.ts'
import type { Addresses, Connection } from './client-settings.ts'
import type { OperationEntry } from './operation-entry.ts'

/** A request as it is in every attempt; each adds its token. */
export type PreparedRequest = { readonly url: string; readonly headers: Headers; readonly body: string | null }

/** Reads the inputs of a call once: the caller may change them while it waits for a token or its next attempt. */
export function prepareRequest(
  entry: OperationEntry,
  call: Call,
  { addresses, userAgent }: Pick<Connection, 'addresses' | 'userAgent'>,
): PreparedRequest {
  return { url: urlOf(entry, call, addresses), headers: headersOf(entry, call, userAgent), body: bodyOf(entry, call) }
}

/** So that errors say where, and which order they are about. */
const DETAILED_ERRORS = 'errors=detailed'

/** The URL of a call, with its parameters encoded. */
function urlOf(entry: OperationEntry, call: Call, addresses: Addresses): string {
  const params = new Map(Object.entries(call.params ?? {}))
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodePathParameter(name, params.get(name)))
  const query = new URLSearchParams(statedIn(call.query).map(([name, value]) => [name, String(value)])).toString()
  return `${addresses[entry.server]}${path}${query === '' ? '' : `?${query}`}`
}

/** Encodes a parameter as one path segment. Dots alone would address another path, even when encoded. */
function encodePathParameter(name: string, value: unknown): string {
  const part = typeof value === 'string' ? value : ''
  if (/^\.{0,2}$/.test(part)) {
    throw new TypeError(`${name} must be the text of an id, not ${JSON.stringify(value)}`)
  }
  return encodeURIComponent(part)
}

function headersOf(entry: OperationEntry, call: Call, userAgent: string): Headers {
  const accept = call.accept ?? 'application/json'
  const headers = new Headers({ accept, prefer: DETAILED_ERRORS, 'user-agent': userAgent })
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

function bodyOf({ body: kind }: OperationEntry, { body }: Call): string | null {
  if (kind === 'none') {
    return null
  }
  return kind === 'form' ? new URLSearchParams(statedIn(body)).toString() : JSON.stringify(body)
}

/** What is undefined or null is absent, as it is in a JSON body. */
function statedIn(inputs: unknown): [name: string, value: string][] {
  return Object.entries(inputs ?? {}).filter(([, value]) => value !== undefined && value !== null)
}

function contentTypeOf({ body }: OperationEntry): string | undefined {
  return { none: undefined, form: 'application/x-www-form-urlencoded', json: 'application/json' }[body]
}
