/** The types of a call over XS2A and its response, and the parsing of its headers and parameters. */
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { isId } from '../../../gateway/platform/ids.ts'
import type { BankProfile } from '../fixture.ts'
import { errorUnless, formatErrorMessage, throwIfAnyMessage } from '../xs2a-error.ts'

export type Xs2aCall = {
  readonly bank: BankProfile
  readonly headers: Xs2aHeaders
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

export type Xs2aAnswer = {
  readonly status: 200 | 201 | 202 | 204
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** JSON text in place of a body, for responses that are too long for memory. */
  readonly stream?: Readable
}

export function ok(body: object): Xs2aAnswer {
  return { status: 200, body }
}

/** One operation of the API, under `/v1` of each bank. */
export type Xs2aRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** The name of the operation for the control API's faults. */
  readonly operation: string
  /** The body limit, where it exceeds the default. */
  readonly bodyBytesMax?: number
  handle(call: Xs2aCall): Promise<Xs2aAnswer>
}

export function route(
  method: Xs2aRoute['method'],
  path: string,
  operation: string,
  handle: Xs2aRoute['handle'],
): Xs2aRoute {
  return { method, path, operation, handle }
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>

const NOTIFICATION_CONTENT = /^status=(SCA|PROCESS|LAST)(, ?(SCA|PROCESS|LAST))*$/

/** RFC 4122, as many banks validate: versions 6 to 8 are of RFC 9562, which is younger than the standard. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const UUID_WANTED = 'must be a UUID of version 1 to 5'
const ADDRESS_WANTED = 'must be an http(s) address'
/** The form of headers that may be absent. */
const HEADER_FORMS: readonly (readonly [name: string, isSound: (value: string) => boolean, wanted: string])[] = [
  ['PSU-Device-ID', (value) => UUID.test(value), UUID_WANTED],
  ['PSU-IP-Address', (value) => isIP(value) !== 0, 'must be an IP address'],
  ['TPP-Redirect-URI', isWebAddress, ADDRESS_WANTED],
  ['TPP-Nok-Redirect-URI', isWebAddress, ADDRESS_WANTED],
  ['TPP-Notification-URI', isWebAddress, ADDRESS_WANTED],
  [
    'TPP-Notification-Content-Preferred',
    (value) => NOTIFICATION_CONTENT.test(value),
    'must be status= and a list of SCA, PROCESS, LAST',
  ],
]

/** The standard's request headers that the bank reads. */
export type Xs2aHeaders = Readonly<ReturnType<typeof readHeaders>>

/** Parses and validates the headers; throws all errors at once. */
export function readHeaders(raw: RawHeaders) {
  throwIfAnyMessage([
    ...errorUnless(UUID.test(text(raw, 'x-request-id') ?? ''), 'X-Request-ID', `X-Request-ID ${UUID_WANTED}`),
    ...HEADER_FORMS.flatMap(([name, isSound, wanted]) => {
      const value = text(raw, name.toLowerCase())
      return errorUnless(value === null || isSound(value), name, `${name} ${wanted}`)
    }),
  ])
  return {
    requestId: text(raw, 'x-request-id') ?? '',
    psuIpAddress: text(raw, 'psu-ip-address'),
    psuId: text(raw, 'psu-id'),
    psuCorporateId: text(raw, 'psu-corporate-id'),
    consentId: text(raw, 'consent-id'),
    redirectUri: text(raw, 'tpp-redirect-uri'),
    nokRedirectUri: text(raw, 'tpp-nok-redirect-uri'),
    explicitAuthorisation: text(raw, 'tpp-explicit-authorisation-preferred') === 'true',
    /** Null without a preference of the third party. */
    redirectPreferred: booleanHeader(raw, 'tpp-redirect-preferred'),
    decoupledPreferred: booleanHeader(raw, 'tpp-decoupled-preferred') === true,
    /** Whether the third party shows codes as images and requests them animated; a bank-specific header. */
    qrCodeRequired: booleanHeader(raw, 'qr-code-required') === true,
    notificationUri: text(raw, 'tpp-notification-uri'),
    notificationContent: text(raw, 'tpp-notification-content-preferred'),
    /** The access token, where the bank has an authorisation server. */
    authorization: text(raw, 'authorization'),
    /** Whether a header is present, with any value. */
    has: (name: string) => text(raw, name.toLowerCase()) !== null,
  }
}

/** Rejects a call without the PSU's IP address: whatever creates a payment or a consent requires it. */
export function requireUserPresent({ bank, headers }: Xs2aCall): void {
  requireHeaders(headers, ['PSU-IP-Address', ...bank.required.userHeaders], 'here')
}

/** Rejects a call without the headers or query parameters that the bank requires of every call. */
export function requireBankParameters({ bank, headers, query }: Pick<Xs2aCall, 'bank' | 'headers' | 'query'>): void {
  requireHeaders(headers, bank.required.headers, 'at this bank')
  const wrong = bank.required.query.filter((name) => (name === 'bic' ? query[name] !== bank.bic : !query[name]))
  throwIfAnyMessage(wrong.map((name) => formatErrorMessage(name, `The query must have ${name}`)))
}

function requireHeaders(headers: Xs2aHeaders, names: readonly string[], where: string): void {
  const missing = names.filter((name) => !headers.has(name))
  throwIfAnyMessage(missing.map((name) => formatErrorMessage(name, `${name} is mandatory ${where}`)))
}

/** A path parameter; the routes guarantee that it is present. */
export function part(call: Xs2aCall, name: string): string {
  const value = call.params[name]
  if (value === undefined) {
    throw new Error(`The route has no part ${name}`)
  }
  return value
}

/** An id in the path; a malformed id is treated as unknown. */
export function idParameterOf(call: Xs2aCall, name: string, unknown: () => Error): string {
  const value = part(call, name)
  if (!isId(value)) {
    throw unknown()
  }
  return value.toLowerCase()
}

function text(raw: RawHeaders, name: string): string | null {
  const value = raw[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** True or false; null for any other value. */
function booleanHeader(raw: RawHeaders, name: string): boolean | null {
  const value = text(raw, name)
  return value === 'true' || value === 'false' ? value === 'true' : null
}

function isWebAddress(value: string): boolean {
  const protocol = URL.parse(value)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}

/** Common columns of payments, consents and baskets. A bank that does not notify stores no URL for it. */
export function requestOriginColumns({ bank, headers }: Pick<Xs2aCall, 'bank' | 'headers'>) {
  return {
    psu_id: headers.psuId,
    corporate_id: headers.psuCorporateId,
    redirect_uri: headers.redirectUri,
    nok_redirect_uri: headers.nokRedirectUri,
    notification_uri: bank.notifies ? headers.notificationUri : null,
    notification_content: headers.notificationContent,
  }
}
export type OriginColumns = ReturnType<typeof requestOriginColumns>
