/** Headers of requests: the user's session with the partner, who the user is, and what a signature should be like. */
import { createHash } from 'node:crypto'
import { BankError } from '../../../connector/bank-error.ts'
import type { ScaApproach } from '../../../connector/bank-profile.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { ReturnUrls } from '../../../connector/sca-authorisation.ts'
import { dialectOf } from '../dialect.ts'

/** The namespace of URLs, of which a URN is one (RFC 9562, 6.6). */
const URL_NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')

/** As long as the column of banks that run adorsys' XS2A, for each of these headers: a longer value is their internal error. */
const TEXT = /^.{1,255}/
/** Whole elements of a comma-separated list, as many as fit. */
const LIST = /^.{1,255}(?=,|$)/
const DEVICE_ID = 'psu-device-id'

/**
 * The session headers, and what is sent of their values. One in a form that the standard does not know would cost the
 * whole request.
 */
const formByHeader: ReadonlyMap<string, RegExp> = new Map([
  ['psu-ip-port', /^\d{1,5}$/],
  ['psu-accept', LIST],
  ['psu-accept-charset', LIST],
  ['psu-accept-encoding', LIST],
  ['psu-accept-language', LIST],
  ['psu-http-method', /^(?:GET|POST|PUT|PATCH|DELETE)$/],
  [DEVICE_ID, /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i],
  ['psu-geo-location', /^GEO:-?\d{1,2}\.\d{1,10};-?\d{1,3}\.\d{1,10}$/],
  ['psu-ip-address', TEXT],
  ['psu-user-agent', TEXT],
])
/** The versions added by RFC 9562. Many banks accept only those of RFC 4122. */
const LATER_UUID = /^.{14}[678]/

/** The session headers from the partner. User ids are excluded: they come only from the consent. */
export function sessionHeaders({ psu }: Pick<BankCaller, 'psu'>): Record<string, string> {
  if (psu === null) {
    return {}
  }
  const given = { ...psu.headers, 'psu-ip-address': psu.ipAddress, 'psu-user-agent': psu.userAgent }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      // Visible ASCII: a user agent with other characters must not block a payment.
      const ascii = value.replace(/\p{Cc}/gu, '').replace(/[^\x20-\x7e]/gu, '?')
      const text = formByHeader.get(name)?.exec(ascii.trim())?.[0].trim() ?? ''
      const isLaterId = name === DEVICE_ID && LATER_UUID.test(text)
      return text === '' ? [] : [[name, isLaterId ? nameBasedUuid(`urn:uuid:${text.toLowerCase()}`) : text]]
    }),
  )
}

/** The UUID version 5 of a URL (RFC 9562, 5.5): deterministic, because a device has to keep its id. */
function nameBasedUuid(url: string): string {
  const bytes = createHash('sha1').update(URL_NAMESPACE).update(url).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/**
 * Who acts, in calls that create something: the user, and the consent of an order. Only while the user is present, and in
 * an initiation.
 */
export function userHeaders(
  { psu, userId, organisationNumber, bankConsentId }: BankCaller,
  {
    withConsent = false,
    isInitiation = false,
  }: { readonly withConsent?: boolean; readonly isInitiation?: boolean } = {},
): Record<string, string> {
  if (psu === null && !isInitiation) {
    return {}
  }
  return {
    ...(userId === null ? {} : { 'psu-id': userId }),
    'psu-corporate-id': organisationNumber,
    ...(withConsent && bankConsentId !== null ? { 'consent-id': bankConsentId } : {}),
  }
}

/**
 * Headers of an initiation without the user's address, which is then our own (API: "If not available, the TPP shall use
 * the IP Address used by the TPP"). Beyond that only the consent's user is named, so that no presence is claimed.
 */
export function unattendedHeaders({ bank }: BankCaller, tppIpAddress: string | null): Record<string, string> {
  if (tppIpAddress === null) {
    throw new BankError('misconfigured', 'HAVN_TPP_IP_ADDRESS is not set: a job cannot submit orders')
  }
  const { unattendedInitiationHeaders = {} } = dialectOf(bank.profile)
  return { ...lowerCased(unattendedInitiationHeaders), 'psu-ip-address': tppIpAddress }
}

/** Which notifications a bank sends: for the authorisation process, each step and the final status. */
const NOTIFICATIONS = 'status=SCA,PROCESS,LAST'

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
    'tpp-notification-uri': back.notification,
    'tpp-notification-content-preferred': NOTIFICATIONS,
  }
}

/**
 * Headers for calls that create or cancel what may have to be signed later. They include return URLs where the bank may
 * redirect: the standard recommends it, and some banks reject calls without them.
 */
export function creationHeaders(
  { bank }: BankCaller,
  back: Omit<ReturnUrls, 'notification'> & Partial<ReturnUrls>,
): Record<string, string> {
  const isExplicit = dialectOf(bank.profile).authorisations === 'explicit'
  const redirects = bank.profile.scaApproaches.includes('redirect')
  return {
    ...(isExplicit ? { 'tpp-explicit-authorisation-preferred': 'true' } : {}),
    ...(redirects ? { 'tpp-redirect-uri': back.success, 'tpp-nok-redirect-uri': back.failure } : {}),
    ...(back.notification === undefined
      ? {}
      : { 'tpp-notification-uri': back.notification, 'tpp-notification-content-preferred': NOTIFICATIONS }),
  }
}

/** Header names are compared in lower case. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
