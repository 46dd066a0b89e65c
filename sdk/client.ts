/** Makes a client of the service: one typed method per operation of the contract. */
import { type Environment, scopesByEnvironment } from '../contract/environments.ts'
import type { AnswerOf, InputsOf, Operation } from '../contract/operation.ts'
import { type OperationId, type Operations, operations } from '../contract/operations.ts'
import { type AccessTokens, accessTokens, readToken, type UsableToken } from './access-token.ts'
import { readFailure } from './havn-error.ts'
import { type MonotonicClock, monotonicClock } from './monotonic-clock.ts'
import { type Addresses, bodyOf, type Call, headersOf, type PsuSession, urlOf } from './request.ts'

/** Longer than a bank may take over one call; callers set closer limits by `signal`. */
const TIMEOUT_SECONDS = 60
const USER_AGENT = 'havn-sdk/0.1'
const ACCEPTED = 202
const UNAUTHORIZED = 401

/** How a client is set up. Credentials belong on a trusted backend, never in a browser. */
export type HavnClientSettings = {
  /** The address of the API, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** The addresses of tokens and of onboarding, where they differ from `baseUrl`. */
  readonly authUrl?: string
  readonly onboardingUrl?: string
  readonly clientId: string
  readonly clientSecret: string
  /** The environment, or the scope of one that is set up otherwise. */
  readonly environment: Environment | { readonly scope: string }
  /** What sends requests; the platform's own `fetch` unless given. */
  readonly fetch?: typeof fetch
  readonly userAgent?: string
  /** After how many seconds a call is given up; 60 unless given. */
  readonly timeoutSeconds?: number
  /** How time passes; for tests. */
  readonly clock?: MonotonicClock
}

/** What a call of an operation takes: exactly what its entry asks for. */
export type CallOf<O extends Operation> = InputsOf<O> &
  (O['admits'] extends 'consent' ? { readonly consentId: string } : unknown) &
  (O['psu'] extends 'required' ? { readonly psu: PsuSession } : unknown) &
  (O['psu'] extends 'optional' ? { readonly psu?: PsuSession | undefined } : unknown) &
  (O['idempotent'] extends true ? { readonly idempotencyKey?: string | undefined } : unknown) & {
    readonly signal?: AbortSignal | undefined
  }

/** The method of an operation; its argument may be left out where nothing in it is required. */
export type MethodOf<O extends Operation> = InOtherForm<O> &
  (object extends CallOf<O> ? (call?: CallOf<O>) => Promise<AnswerOf<O>> : (call: CallOf<O>) => Promise<AnswerOf<O>>)

/** The same in another form than JSON: its bytes as they come. A stream that fails was broken off, and is not whole. */
type InOtherForm<O extends Operation> = O['answer'] extends { readonly otherForms: infer Forms }
  ? (call: CallOf<O> & { readonly accept: keyof Forms }) => Promise<ReadableStream<Uint8Array>>
  : unknown

/** One method per operation. */
export type HavnClient = { readonly [Id in OperationId]: MethodOf<Operations[Id]> }

/** What every call works with. */
type Connection = {
  readonly addresses: Addresses
  readonly fetch: typeof fetch
  readonly userAgent: string
  readonly timeoutMilliseconds: number
}

/** Makes a client. It sends nothing before its first call. */
export function createHavnClient(settings: HavnClientSettings): HavnClient {
  const connection: Connection = {
    addresses: {
      base: settings.baseUrl,
      auth: settings.authUrl ?? settings.baseUrl,
      onboarding: settings.onboardingUrl ?? settings.baseUrl,
    },
    fetch: settings.fetch ?? fetch,
    userAgent: settings.userAgent ?? USER_AGENT,
    timeoutMilliseconds: (settings.timeoutSeconds ?? TIMEOUT_SECONDS) * 1_000,
  }
  const tokens = accessTokens(() => requestToken(connection, settings), settings.clock ?? monotonicClock)
  const methods = Object.values<Operation>(operations).map((entry) => [
    entry.id,
    (call: Call = {}) => perform(connection, tokens, entry, call),
  ])
  // The entries that the methods are made of are those that their types are read from.
  return Object.fromEntries(methods) as HavnClient
}

async function perform(connection: Connection, tokens: AccessTokens, entry: Operation, call: Call): Promise<unknown> {
  const response =
    entry.admits === 'anyone'
      ? await send(connection, entry, call)
      : await sendWithToken(connection, tokens, entry, call)
  const isAccepted = response.status === ACCEPTED && entry.answer.continuesWith !== undefined
  if (response.status !== entry.answer.status && !isAccepted) {
    throw await readFailure(entry, response)
  }
  if (call.accept !== undefined) {
    return response.body
  }
  return entry.answer.schema === null ? undefined : await response.json()
}

/** A token that the service refuses is replaced once; nothing else is ever tried again. */
async function sendWithToken(
  connection: Connection,
  tokens: AccessTokens,
  entry: Operation,
  call: Call,
): Promise<Response> {
  const token = await tokenFor(tokens, call.signal)
  const response = await send(connection, entry, call, token)
  if (response.status !== UNAUTHORIZED) {
    return response
  }
  await response.body?.cancel()
  tokens.discard(token)
  return send(connection, entry, call, await tokenFor(tokens, call.signal))
}

function send(connection: Connection, entry: Operation, call: Call, token?: string): Promise<Response> {
  const headers = headersOf(entry, call, connection.userAgent)
  if (token !== undefined) {
    headers.set('authorization', `Bearer ${token}`)
  }
  const limit = AbortSignal.timeout(connection.timeoutMilliseconds)
  return connection.fetch(urlOf(entry, call, connection.addresses), {
    method: entry.method,
    headers,
    body: bodyOf(entry, call),
    redirect: 'manual',
    signal: call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]),
  })
}

async function requestToken(
  connection: Connection,
  { clientId, clientSecret, environment }: HavnClientSettings,
): Promise<UsableToken> {
  const entry = operations.issueToken
  const response = await send(connection, entry, {
    body: {
      grant_type: 'client_credentials',
      scope: typeof environment === 'string' ? scopesByEnvironment[environment] : environment.scope,
      client_id: clientId,
      client_secret: clientSecret,
    },
  })
  if (response.status !== entry.answer.status) {
    throw await readFailure(entry, response)
  }
  return readToken(await response.json())
}

/** Others wait for the same token: whoever gives up leaves the request to them. */
async function tokenFor(tokens: AccessTokens, signal: AbortSignal | undefined): Promise<string> {
  signal?.throwIfAborted()
  const token = tokens.get()
  if (signal === undefined) {
    return token
  }
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    token.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
