/** Headers of requests: the user's session with the partner, who the user is, and what a signature should be like. */
import { createHash } from 'node:crypto'
import { BankError } from '../../../connector/bank-error.ts'
import type { ScaApproach } from '../../../connector/bank-profile.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { ReturnUrls } from '../../../connector/sca-authorisation.ts'
import { dialectOf } from '../dialect.ts'

/** UUIDs of RFC 4122, the only ones that many banks accept. */
const RFC_4122_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** The versions added by RFC 9562. */
const LATER_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[678][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** The namespace of URLs, of which a URN is one (RFC 9562, 6.6). */
const URL_NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')

/** The column of banks that run adorsys' XS2A, for each of these headers: a longer value is their internal error. */
const CHARACTERS_MAX = 255

type HeaderForm = (value: string) => string | undefined

/** The session headers that are sent. One in a form that the standard does not know would cost the whole request. */
const formByHeader: Readonly<Record<string, HeaderForm>> = {
  'psu-ip-port': matching(/^\d{1,5}$/),
  'psu-accept': shortenedList,
  'psu-accept-charset': shortenedList,
  'psu-accept-encoding': shortenedList,
  'psu-accept-language': shortenedList,
  'psu-http-method': matching(/^(?:GET|POST|PUT|PATCH|DELETE)$/),
  'psu-device-id': deviceIdOf,
  'psu-geo-location': matching(/^GEO:-?\d{1,2}\.\d{1,10};-?\d{1,3}\.\d{1,10}$/),
  'psu-ip-address': shortened,
  'psu-user-agent': shortened,
}

/** The session headers from the partner. User ids are excluded: they come only from the consent. */
export function sessionHeaders({ psu }: Pick<BankCaller, 'psu'>): Record<string, string> {
  if (psu === null) {
    return {}
  }
  const given = { ...psu.headers, 'psu-ip-address': psu.ipAddress, 'psu-user-agent': psu.userAgent }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const form = Object.hasOwn(formByHeader, name) ? formByHeader[name] : undefined
      // Visible ASCII: a user agent with other characters must not block a payment.
      const ascii = value.replace(/\p{Cc}/gu, '').replace(/[^\x20-\x7e]/gu, '?')
      const text = form?.(ascii.trim()) ?? ''
      return text === '' ? [] : [[name, text]]
    }),
  )
}

function matching(pattern: RegExp): HeaderForm {
  return (value) => (pattern.test(value) ? value : undefined)
}

function shortened(value: string): string {
  return value.slice(0, CHARACTERS_MAX).trim()
}

/** Whole elements of a comma-separated list, as many as fit. */
function shortenedList(value: string): string {
  const start = `${value},`.slice(0, CHARACTERS_MAX + 1)
  return start.slice(0, Math.max(0, start.lastIndexOf(','))).trim()
}

/** A newer UUID is mapped to a UUID version 5, deterministically, because a device has to keep its id. */
function deviceIdOf(deviceId: string): string | undefined {
  if (RFC_4122_UUID.test(deviceId)) {
    return deviceId
  }
  return LATER_UUID.test(deviceId) ? nameBasedUuid(`urn:uuid:${deviceId.toLowerCase()}`) : undefined
}

/** The UUID version 5 of a URL (RFC 9562, 5.5). */
function nameBasedUuid(url: string): string {
  const bytes = createHash('sha1').update(URL_NAMESPACE).update(url).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Headers with the user's id, for calls that create something; only while the user is present. */
export function psuIdentityHeaders(caller: BankCaller): Record<string, string> {
  return caller.psu === null ? {} : userIdHeaders(caller)
}

/**
 * Who orders. Without the user's address the header is our own (API: "If not available, the TPP shall use the IP Address
 * used by the TPP"); beyond that only the consent's user is named, so that no presence is claimed.
 */
export function initiatorHeaders(caller: BankCaller, tppIpAddress: string | null): Record<string, string> {
  const { bank, bankConsentId, psu } = caller
  const user = { ...userIdHeaders(caller), ...(bankConsentId === null ? {} : { 'consent-id': bankConsentId }) }
  if (psu !== null) {
    return user
  }
  if (tppIpAddress === null) {
    throw new BankError('misconfigured', 'HAVN_TPP_IP_ADDRESS is not set: a job cannot submit orders')
  }
  const { unattendedInitiationHeaders = {} } = dialectOf(bank.profile)
  return { ...lowerCased(unattendedInitiationHeaders), 'psu-ip-address': tppIpAddress, ...user }
}

function userIdHeaders({ userId, organisationNumber }: BankCaller): Record<string, string> {
  return { ...(userId === null ? {} : { 'psu-id': userId }), 'psu-corporate-id': organisationNumber }
}

/** Headers with the preferred SCA approach and the return URLs, for calls that start an authorisation. */
export function scaPreferenceHeaders(
  { bank }: BankCaller,
  approach: ScaApproach,
  back: ReturnUrls,
): Record<string, string> {
  const inApp = { 'tpp-redirect-preferred': 'false', 'tpp-decoupled-preferred': 'true' }
  const { qr } = dialectOf(bank.profile)
  return {
    ...(approach === 'redirect' ? { 'tpp-redirect-preferred': 'true' } : inApp),
    ...(approach === 'qr' ? lowerCased(qr?.headers ?? {}) : {}),
    'tpp-redirect-uri': back.success,
    'tpp-nok-redirect-uri': back.failure,
    ...notificationHeaders(back.notification),
  }
}

/**
 * Headers for calls that create or cancel what may have to be signed later. They include return URLs where the bank may
 * redirect: the standard recommends it, and some banks reject calls without them.
 */
export function creationHeaders(
  { bank }: BankCaller,
  back: Pick<ReturnUrls, 'success' | 'failure'>,
): Record<string, string> {
  const isExplicit = dialectOf(bank.profile).authorisations === 'explicit'
  const redirects = bank.profile.scaApproaches.includes('redirect')
  return {
    ...(isExplicit ? { 'tpp-explicit-authorisation-preferred': 'true' } : {}),
    ...(redirects ? { 'tpp-redirect-uri': back.success, 'tpp-nok-redirect-uri': back.failure } : {}),
  }
}

/** The header with the consent of an order, while the user is present. */
export function consentHeader({ psu, bankConsentId }: BankCaller): Record<string, string> {
  return psu === null || bankConsentId === null ? {} : { 'consent-id': bankConsentId }
}

/** Notification headers: for the authorisation process, each step and the final status. */
export function notificationHeaders(notification: string): Record<string, string> {
  return { 'tpp-notification-uri': notification, 'tpp-notification-content-preferred': 'status=SCA,PROCESS,LAST' }
}

/** Header names are compared in lower case. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
