/** A third party of the sandbox bank in tests: sends XS2A requests, and simulates the user by the control API. */
import { lightFetch } from '../../gateway/testing/gateway/light-fetch.ts'
import type { SandboxBank } from '../bank/bank.ts'

/** Fjordbanken's only product. */
export const PAYMENTS = '/payments/norwegian-domestic-credit-transfers'
export const KARI = '01815012345'
export const OLA = '02825054321'
export const INGRID = '03835067890'
export const NORDLYS = '987654325'
/** Nordlys Handel's accounts with 1 000 000 and 25 000 NOK, and a supplier's account. */
export const MAIN_ACCOUNT = '80501100017'
export const PAYROLL_ACCOUNT = '80501100025'
export const SUPPLIER_ACCOUNT = '80501200011'
export const KID_ACCOUNT = '80503000028'

/** The path of a bank below the XS2A URL, its required headers and parameters, and the test user. */
export type ThirdPartyAccess = {
  readonly base: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly user: string
  readonly company: string
}

const FJORDBANKEN: ThirdPartyAccess = { base: '/fjordbanken/v1', query: '', headers: {}, user: KARI, company: NORDLYS }

export type Reply = {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or null when there is no body. */
  readonly body: unknown
  /** A text in the body, by its dotted path; fails when there is none. */
  text(path: string): string
}

export type RequestParts = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

export type ThirdParty = {
  /** Sends an XS2A request below the bank's `/v1`, with the common headers. */
  send(method: string, path: string, parts?: RequestParts): Promise<Reply>
  /** Calls the control API. */
  control(method: string, path: string, body?: unknown): Promise<Reply>
  /** Creates a consent that its user authorises; returns its id. */
  consent(changes?: Readonly<Record<string, unknown>>, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Initiates a payment with explicit start of the authorisation; returns its id. */
  pay(changes?: Readonly<Record<string, unknown>>, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Starts an authorisation; returns its id and the browser's link, which is empty without a redirect. */
  authorise(path: string, headers?: Readonly<Record<string, string>>): Promise<{ id: string; link: string }>
  /** Starts and completes an authorisation, including the confirmation code if the browser received one. */
  sign(path: string, userId?: string): Promise<void>
}

/** A call with a user, of a third party that requests explicit start. */
export function headersOf({ user, company }: ThirdPartyAccess): Readonly<Record<string, string>> {
  return {
    'PSU-IP-Address': '192.0.2.7',
    'PSU-User-Agent': 'tests',
    'PSU-ID': user,
    'PSU-Corporate-ID': company,
    'TPP-Explicit-Authorisation-Preferred': 'true',
    'TPP-Redirect-URI': 'http://127.0.0.1:9/ok',
    'TPP-Nok-Redirect-URI': 'http://127.0.0.1:9/nok',
  }
}

export const userHeaders = headersOf(FJORDBANKEN)

/** An order that the bank accepts, with a test's changes. */
export function order(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    debtorAccount: { bban: MAIN_ACCOUNT },
    instructedAmount: { currency: 'NOK', amount: '1250.00' },
    creditorAccount: { bban: SUPPLIER_ACCOUNT },
    creditorName: 'Granli Trelast AS',
    remittanceInformationUnstructured: 'Faktura 20481',
    ...changes,
  }
}

/** A bank-offered consent request with the longest validity. */
export function consentRequest(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    access: { accounts: [], balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil: '9999-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
    ...changes,
  }
}

/** The bank may be replaced by another after a restart. */
export function thirdPartyOf(bank: () => SandboxBank, place: ThirdPartyAccess = FJORDBANKEN): ThirdParty {
  const user = headersOf(place)
  const send = (method: string, path: string, parts: RequestParts = {}) =>
    request(`${bank().xs2aUrl}${place.base}${path}${place.query}`, method, {
      ...parts,
      headers: { 'X-Request-ID': crypto.randomUUID(), ...place.headers, ...parts.headers },
    })
  const control = (method: string, path: string, body?: unknown) =>
    request(`${bank().pagesUrl}/control${path}`, method, body === undefined ? {} : { body })
  const authorise = async (path: string, headers: Readonly<Record<string, string>> = user) => {
    const started = await send('POST', path, { body: {}, headers })
    const link = 'scaRedirect' in linksOf(started) ? started.text('_links.scaRedirect.href') : ''
    return { id: started.text('authorisationId'), link }
  }
  const sign = async (path: string, userId?: string) => {
    const { id } = await authorise(path, userId === undefined ? user : { ...user, 'PSU-ID': userId })
    const signed = await control('POST', `/authorisations/${id}/sign`, userId === undefined ? {} : { userId })
    const confirmationCode = URL.parse(String(memberOf(signed.body, 'redirect')))?.searchParams.get('confirmationCode')
    if (typeof confirmationCode === 'string') {
      await send('PUT', `${path}/${id}`, { body: { confirmationCode } })
    }
  }
  return {
    send,
    control,
    authorise,
    sign,
    consent: async (changes, headers) => {
      const made = await send('POST', '/consents', {
        body: consentRequest(changes),
        headers: { ...user, ...headers },
      })
      const id = made.text('consentId')
      await sign(`/consents/${id}/authorisations`, headers?.['PSU-ID'])
      return id
    },
    pay: async (changes, headers) => {
      const made = await send('POST', PAYMENTS, { body: order(changes), headers: { ...userHeaders, ...headers } })
      return made.text('paymentId')
    },
  }
}

async function request(url: string, method: string, { body, headers }: RequestParts): Promise<Reply> {
  const answer = await lightFetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json: unknown = text === '' ? null : JSON.parse(text)
  return { status: answer.status, headers: answer.headers, body: json, text: (path) => textAt(json, path) }
}

function linksOf({ body }: Reply): object {
  const links = memberOf(body, '_links')
  return typeof links === 'object' && links !== null ? links : {}
}

function textAt(body: unknown, path: string): string {
  const value = path.split('.').reduce(memberOf, body)
  if (typeof value !== 'string') {
    throw new Error(`There is no text at ${path} of ${JSON.stringify(body)}`)
  }
  return value
}

function memberOf(value: unknown, name: string): unknown {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return members.find(([key]) => key === name)?.[1]
}
