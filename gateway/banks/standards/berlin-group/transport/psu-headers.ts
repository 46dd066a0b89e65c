/** Builds the PSU headers, which describe the user's current session with the partner. */
import { createHash } from 'node:crypto'
import type { BankCaller } from '../../../connector/connector.ts'

/** UUIDs of RFC 4122, the only ones that many banks accept. */
const RFC_4122_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** The versions added by RFC 9562. */
const LATER_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[678][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** The namespace of URLs, of which a URN is one (RFC 9562, 6.6). */
const URL_NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')

const FORWARDED: ReadonlySet<string> = new Set([
  'psu-ip-port',
  'psu-accept',
  'psu-accept-charset',
  'psu-accept-encoding',
  'psu-accept-language',
  'psu-http-method',
  'psu-device-id',
  'psu-geo-location',
])

/** The session headers from the partner. User ids are excluded: they come only from the consent. */
export function sessionHeaders({ psu }: Pick<BankCaller, 'psu'>): Record<string, string> {
  if (psu === null) {
    return {}
  }
  const { 'psu-device-id': deviceId, ...headers } = psu.headers
  const further = Object.entries(headers).filter(([name]) => FORWARDED.has(name))
  return Object.fromEntries(
    [
      ...further,
      ...deviceIdHeader(deviceId),
      ['psu-ip-address', psu.ipAddress] as const,
      ['psu-user-agent', psu.userAgent] as const,
    ].map(([name, value]) => [name, headerText(value)]),
  )
}

/** A newer UUID is mapped to a UUID version 5, deterministically, because a device has to keep its id. */
function deviceIdHeader(deviceId = ''): (readonly [string, string])[] {
  if (RFC_4122_UUID.test(deviceId)) {
    return [['psu-device-id', deviceId]]
  }
  return LATER_UUID.test(deviceId) ? [['psu-device-id', nameBasedUuid(`urn:uuid:${deviceId.toLowerCase()}`)]] : []
}

/** The UUID version 5 of a URL (RFC 9562, 5.5). */
function nameBasedUuid(url: string): string {
  const bytes = createHash('sha1').update(URL_NAMESPACE).update(url).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Header values are visible ASCII; a user agent with other characters must not block a payment. */
function headerText(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '?')
}
