/** Parses the user's session that a partner forwards: the `PSU-*` headers. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { apiError } from '../errors/api-error.ts'
import { isPublicAddress } from '../ip-address.ts'

/** The user's current session; `headers` holds further `PSU-*` headers by their lower-case names. */
export type PsuSession = {
  readonly ipAddress: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
}

/** Headers of the bank standard that may be forwarded in addition to address and user agent. */
const FORWARDED = [
  'psu-accept',
  'psu-accept-charset',
  'psu-accept-encoding',
  'psu-accept-language',
  'psu-device-id',
  'psu-geo-location',
  'psu-http-method',
  'psu-ip-port',
]

/** An IPv6 zone index (`fe80::1%eth0`), which a public address never has. */
const ZONE_MARK = '%'

/** The session, or null when the user is not present. Throws when one of the two required headers is missing. */
export function readPsuSession(
  headers: IncomingHttpHeaders,
  need: { readonly required: boolean; readonly privateAllowed: boolean },
): PsuSession | null {
  const ipAddress = textOf(headers['psu-ip-address'])
  const userAgent = textOf(headers['psu-user-agent'])
  if (!need.required && ipAddress === undefined && userAgent === undefined) {
    return null
  }
  if (ipAddress === undefined || isIP(ipAddress) === 0 || ipAddress.includes(ZONE_MARK)) {
    throw apiError('bad-request', 'The header PSU-IP-Address must contain the IP address of the user’s current session')
  }
  if (!need.privateAllowed && !isPublicAddress(ipAddress)) {
    throw apiError(
      'bad-request',
      'The header PSU-IP-Address contains an address that is not public; send the user’s public address',
    )
  }
  if (userAgent === undefined) {
    throw apiError('bad-request', 'The header PSU-User-Agent must contain the user agent of the user’s browser or app')
  }
  const forwarded = FORWARDED.flatMap((name) => {
    const value = textOf(headers[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ipAddress, userAgent, headers: Object.fromEntries(forwarded) }
}

function textOf(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value
  return text === undefined || text.trim() === '' ? undefined : text.trim()
}
