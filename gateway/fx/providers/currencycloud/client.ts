/** Sends one API request, with login and rate limits; returns the parsed response or throws `FxProviderError`. */

import { BankUnreachable } from '../../../banks/connector/bank-error.ts'
import type { BankResponse } from '../../../banks/connector/connector-dependencies.ts'
import type { CallLimit, CallPriority, CallRateLimiter } from '../call-rate-limiter.ts'
import { FxProviderError } from '../fx-provider-error.ts'
import type { ProviderTransport } from '../provider-transport.ts'
import { type Effect, errorOfNoResponse, errorOfResponse, errorOfUnreadableResponse } from './errors.ts'
import { encodeForm, type FormFields } from './form-encoding.ts'
import { openSession, type Session } from './session.ts'
import { type Reader, readLogin } from './wire.ts'

/** The credentials and limits of our account. */
export type CurrencycloudCredentials = {
  /** Base URL, before `/v2`. */
  readonly url: string
  readonly loginId: string
  readonly apiKey: string
  /** The contact of the sub-account that calls act for; null for the house account. */
  readonly onBehalfOf: string | null
  readonly callsPerMinute: number
  readonly rateCallsPerMinute: number
}

/**
 * One API call, unless given a patient `GET`, which reads. A `POST` says whether it moves money; `path` is relative to
 * `/v2`.
 */
export type ApiRequest = RequestDetails &
  ({ readonly method?: 'GET'; readonly effect?: 'reads' } | { readonly method: 'POST'; readonly effect: Effect })

type RequestDetails = {
  readonly operation: string
  readonly path: string
  readonly fields?: FormFields
  readonly urgency?: CallPriority
  /** Calls of rates have an additional limit. */
  readonly isRate?: boolean
  /** Some endpoints reject `on_behalf_of`. */
  readonly houseOnly?: boolean
}

/** Sends a request and parses the response. Throws `FxProviderError`. */
export type SendRequest = <Shape>(apiRequest: ApiRequest, read: Reader<Shape>) => Promise<Shape>

/** Logins per minute (provider's API documentation). */
const LOGINS: CallLimit = { name: 'logins', perMinute: 60 }
/** Path segments that URLs resolve to another folder (RFC 3986, 5.2.4). */
const PATH_CHANGING_SEGMENTS: ReadonlySet<string> = new Set(['', '.', '..'])
const UNAUTHORIZED = 401
const TOO_MANY = 429

/** Opens a client with one session for all calls. */
export function openClient(connection: ProviderConnection, access: CurrencycloudCredentials): SendRequest {
  const session = openSession(() => logIn(connection, access))
  return async (apiRequest, read) => {
    const { effect = 'reads', urgency = 'patient' } = apiRequest
    const limits = limitsOf(access, apiRequest)
    await connection.rateLimiter.acquire(limits, urgency)
    const response = await sendWithSession(connection, access, session, apiRequest)
    if (response.status < 200 || response.status > 299) {
      throw await pauseWhenRateLimited(connection, limits, errorOfResponse(effect, response))
    }
    const answer = read(response.body)
    if (answer === undefined) {
      throw errorOfUnreadableResponse(effect, response.status)
    }
    return answer
  }
}

const PAGE_ENTRIES = 50
/** Half a million entries: the limit only stops an API that always returns a next page. */
const PAGES_MAX = 10_000

/** Reads a list page by page, ordered by a column, from its start. */
export async function* listPages<Page extends { readonly pagination: { readonly next_page: number } }>(
  send: SendRequest,
  apiRequest: ApiRequest & { readonly orderedBy: string },
  read: Reader<Page>,
): AsyncGenerator<Page, void, undefined> {
  const { orderedBy, ...request } = apiRequest
  let page = 1
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const paging = { order: orderedBy, order_asc_desc: 'asc', page: String(page), per_page: String(PAGE_ENTRIES) }
    const found = await send({ ...request, fields: { ...request.fields, ...paging } }, read)
    yield found
    if (found.pagination.next_page <= page) {
      return
    }
    page = found.pagination.next_page
  }
}

/** Builds a path from ids of the provider. Throws `unknown-resource` for an id that would change the path. */
export function path(...segments: readonly string[]): string {
  if (segments.some((segment) => PATH_CHANGING_SEGMENTS.has(segment))) {
    throw new FxProviderError('unknown-resource', 'The id is not valid in a path')
  }
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

/** A 401 means that the call was not executed: it is repeated once with a new token. */
async function sendWithSession(
  connection: ProviderConnection,
  access: CurrencycloudCredentials,
  session: Session,
  apiRequest: ApiRequest,
): Promise<BankResponse> {
  const token = await session.token()
  const first = await send(connection, access, apiRequest, token)
  return first.status === UNAUTHORIZED ? await send(connection, access, apiRequest, await session.after(token)) : first
}

async function send(
  { transport }: ProviderConnection,
  { url, onBehalfOf }: CurrencycloudCredentials,
  { operation, method = 'GET', path: apiPath, fields = {}, effect = 'reads', houseOnly = false }: ApiRequest,
  token: string | null,
): Promise<BankResponse> {
  const encoded = encodeForm({ ...fields, on_behalf_of: houseOnly ? null : onBehalfOf })
  const address = `${url}/v2${apiPath}`
  const headers = { accept: 'application/json', ...(token === null ? {} : { 'x-auth-token': token }) }
  const request =
    method === 'GET'
      ? { operation, method, url: encoded === '' ? address : `${address}?${encoded}`, headers }
      : {
          operation,
          method,
          url: address,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: encoded,
        }
  try {
    return await transport.send(request)
  } catch (error) {
    throw error instanceof BankUnreachable ? errorOfNoResponse(effect, error) : error
  }
}

async function logIn(connection: ProviderConnection, access: CurrencycloudCredentials): Promise<string> {
  const fields = { login_id: access.loginId, api_key: access.apiKey }
  const apiRequest = {
    operation: 'logIn',
    method: 'POST',
    path: '/authenticate/api',
    fields,
    effect: 'reads',
    houseOnly: true,
  } as const
  await connection.rateLimiter.acquire([LOGINS], 'urgent')
  const response = await send(connection, access, apiRequest, null)
  if (response.status < 200 || response.status > 299) {
    throw await pauseWhenRateLimited(connection, [LOGINS], loginError(response))
  }
  const login = readLogin(response.body)
  if (login === undefined) {
    throw errorOfUnreadableResponse('reads', response.status)
  }
  return login.auth_token
}

/** Malformed credentials are answered with 400; the call that needed the login was not sent. */
function loginError(response: BankResponse): FxProviderError {
  const error = errorOfResponse('reads', response)
  return error.kind === 'invalid' ? new FxProviderError('login-rejected', error.message, errorDetailOf(error)) : error
}

/** Calls of rates count towards both limits. */
function limitsOf(
  { callsPerMinute, rateCallsPerMinute }: CurrencycloudCredentials,
  { isRate = false }: ApiRequest,
): readonly CallLimit[] {
  const allCalls = { name: 'calls', perMinute: callsPerMinute }
  return isRate ? [allCalls, { name: 'rates', perMinute: rateCallsPerMinute }] : [allCalls]
}

async function pauseWhenRateLimited(
  connection: ProviderConnection,
  limits: readonly CallLimit[],
  error: FxProviderError,
): Promise<FxProviderError> {
  if (error.status === TOO_MANY && error.retryAfterSeconds !== undefined) {
    await connection.rateLimiter.pause(limits.slice(-1), error.retryAfterSeconds)
  }
  return error
}

export type ProviderConnection = {
  readonly transport: Pick<ProviderTransport, 'send'>
  readonly rateLimiter: CallRateLimiter
}

const OK = 200

/** After a failed attempt, returns what exists with the request id; rethrows the error if nothing does. */
export async function findMadeBefore<Made>(error: unknown, find: () => Promise<Made | null>): Promise<Made> {
  if (!(error instanceof FxProviderError) || failedBeforeProcessing(error) || error.kind === 'outcome-unknown') {
    throw error
  }
  const made = await find()
  if (made === null) {
    throw error
  }
  return made
}

/** Whether the request failed before the provider processed it. */
export function failedBeforeProcessing({ kind }: FxProviderError): boolean {
  return kind === 'unavailable' || kind === 'rate-limited' || kind === 'login-rejected'
}

/** Returns the parsed value. Throws if the response had the right shape, but an invalid amount or time. */
export function requireReadable<Value>(value: Value | undefined, effect: Effect = 'reads'): Value {
  if (value === undefined) {
    throw errorOfUnreadableResponse(effect, OK)
  }
  return value
}

/** The detail of an error, for a new one of another kind. */
export function errorDetailOf({ validationErrors, code, status }: FxProviderError) {
  return { validationErrors, ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}
