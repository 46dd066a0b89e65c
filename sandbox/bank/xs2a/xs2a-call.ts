/** What a call over XS2A is to the verbs: whose bank, which headers and parts, and the answer they give. */
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { isId } from '../../../gateway/platform/ids.ts'
import type { BankProfile } from '../fixture.ts'
import { formatProblem, type RefusalMessage, requireNone } from '../refusal.ts'

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
  /** JSON text in place of a body, for what is too long to be written at once. */
  readonly stream?: Readable
}

/** One operation of the interface, under `/v1` of each bank. */
export type Xs2aRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Names the operation to the control API's faults. */
  readonly operation: string
  /** The longest body that it reads, where that is more than others do. */
  readonly bodyBytesMax?: number
  handle(call: Xs2aCall): Promise<Xs2aAnswer>
}

/** The standard's request headers, those the bank looks at. */
export type Xs2aHeaders = {
  readonly requestId: string
  readonly psuIpAddress: string | null
  readonly psuId: string | null
  readonly psuCorporateId: string | null
  readonly consentId: string | null
  readonly redirectUri: string | null
  readonly nokRedirectUri: string | null
  readonly explicitAuthorisation: boolean
  /** Null when the third party leaves it to the bank. */
  readonly redirectPreferred: boolean | null
  readonly decoupledPreferred: boolean
  /** Whether the third party shows codes as images and wants them animated; a bank's own header. */
  readonly qrCodeRequired: boolean
  readonly notificationUri: string | null
  readonly notificationContent: string | null
  /** With which token, where the bank has an authorisation server. */
  readonly authorization: string | null
  /** Whether a header was given at all, whatever it says. */
  has(name: string): boolean
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>

const NOTIFICATION_CONTENT = /^status=(SCA|PROCESS|LAST)(, ?(SCA|PROCESS|LAST))*$/

/** By RFC 4122, as the validators of many banks do: versions 6 to 8 are of RFC 9562, which is younger than the standard. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const UUID_WANTED = 'must be a UUID of version 1 to 5'
const SOME_UUID = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'

/** Reads and checks the headers; refuses with every problem at once. */
export function readHeaders(raw: RawHeaders): Xs2aHeaders {
  requireNone([
    ...problemUnless(UUID.test(text(raw, 'x-request-id') ?? ''), 'X-Request-ID', UUID_WANTED),
    ...problemUnless(UUID.test(text(raw, 'psu-device-id') ?? SOME_UUID), 'PSU-Device-ID', UUID_WANTED),
    ...problemUnless(isIP(text(raw, 'psu-ip-address') ?? '::') !== 0, 'PSU-IP-Address', 'must be an IP address'),
    ...problemUnless(isWebAddress(text(raw, 'tpp-redirect-uri')), 'TPP-Redirect-URI', 'must be an http(s) address'),
    ...problemUnless(
      isWebAddress(text(raw, 'tpp-nok-redirect-uri')),
      'TPP-Nok-Redirect-URI',
      'must be an http(s) address',
    ),
    ...problemUnless(
      isWebAddress(text(raw, 'tpp-notification-uri')),
      'TPP-Notification-URI',
      'must be an http(s) address',
    ),
    ...problemUnless(
      NOTIFICATION_CONTENT.test(text(raw, 'tpp-notification-content-preferred') ?? 'status=SCA'),
      'TPP-Notification-Content-Preferred',
      'must be status= and a list of SCA, PROCESS, LAST',
    ),
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
    redirectPreferred: flag(raw, 'tpp-redirect-preferred'),
    decoupledPreferred: flag(raw, 'tpp-decoupled-preferred') === true,
    qrCodeRequired: flag(raw, 'qr-code-required') === true,
    notificationUri: text(raw, 'tpp-notification-uri'),
    notificationContent: text(raw, 'tpp-notification-content-preferred'),
    authorization: text(raw, 'authorization'),
    has: (name) => text(raw, name.toLowerCase()) !== null,
  }
}

/** Refuses a call that must name the user's address: whatever creates a payment or a consent. */
export function requireUserPresent({ bank, headers }: Xs2aCall): void {
  requireHeaders(headers, ['PSU-IP-Address', ...bank.required.userHeaders], 'here')
}

/** Refuses a call that lacks what the bank wants of every call. */
export function requireBankParts({ bank, headers, query }: Pick<Xs2aCall, 'bank' | 'headers' | 'query'>): void {
  requireHeaders(headers, bank.required.headers, 'at this bank')
  const wrong = bank.required.query.filter((name) => (name === 'bic' ? query[name] !== bank.bic : !query[name]))
  requireNone(wrong.map((name) => formatProblem(name, `The query must have ${name}`)))
}

function requireHeaders(headers: Xs2aHeaders, names: readonly string[], where: string): void {
  const missing = names.filter((name) => !headers.has(name))
  requireNone(missing.map((name) => formatProblem(name, `${name} is mandatory ${where}`)))
}

/** A part of the path; the routes guarantee that it is there. */
export function part(call: Xs2aCall, name: string): string {
  const value = call.params[name]
  if (value === undefined) {
    throw new Error(`The route has no part ${name}`)
  }
  return value
}

/** An id in the path; what is no id names nothing. */
export function idPart(call: Xs2aCall, name: string, unknown: () => Error): string {
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

/** True or false; null when the header says neither. */
function flag(raw: RawHeaders, name: string): boolean | null {
  const value = text(raw, name)
  return value === 'true' || value === 'false' ? value === 'true' : null
}

function problemUnless(sound: boolean, path: string, reason: string): readonly RefusalMessage[] {
  return sound ? [] : [formatProblem(path, `${path} ${reason}`)]
}

function isWebAddress(value: string | null): boolean {
  if (value === null) {
    return true
  }
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}
