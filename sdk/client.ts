/** Creates an API client with one typed method per operation of the contract. */
import { type Environment, scopesByEnvironment } from '../contract/environments.ts'
import type { InputsOf, Operation, ResponseOf } from '../contract/operation.ts'
import { type OperationId, type Operations, operations } from '../contract/operations.ts'
import { type AccessTokens, accessTokens, readToken, type UsableToken } from './access-token.ts'
import { readHavnError } from './havn-error.ts'
import { type MonotonicClock, monotonicClock } from './monotonic-clock.ts'
import { type Addresses, bodyOf, type Call, headersOf, type PsuSession, urlOf } from './request.ts'

/** Longer than any bank call may take; callers set shorter limits by `signal`. */
const TIMEOUT_SECONDS = 60
const USER_AGENT = 'havn-sdk/0.1'
const ACCEPTED = 202
const UNAUTHORIZED = 401

/** Settings of a client. Credentials belong on a trusted backend, never in a browser. */
export type HavnClientSettings = {
  /** The base URL of the API, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** The base URLs of tokens and of onboarding, where they differ from `baseUrl`. */
  readonly authUrl?: string
  readonly onboardingUrl?: string
  readonly clientId: string
  readonly clientSecret: string
  /** The environment, or the scope of a custom one. */
  readonly environment: Environment | { readonly scope: string }
  /** Sends the requests; the platform's own `fetch` by default. */
  readonly fetch?: typeof fetch
  readonly userAgent?: string
  /** Timeout of a call in seconds; 60 by default. */
  readonly timeoutSeconds?: number
  /** Source of elapsed time; for tests. */
  readonly clock?: MonotonicClock
}

/** The argument of an operation: exactly the inputs of its contract entry. */
export type CallOf<O extends Operation> = InputsOf<O> &
  (O['admits'] extends 'consent' ? { readonly consentId: string } : unknown) &
  (O['psu'] extends 'required' ? { readonly psu: PsuSession } : unknown) &
  (O['psu'] extends 'optional' ? { readonly psu?: PsuSession | undefined } : unknown) &
  (O['idempotent'] extends true ? { readonly idempotencyKey?: string | undefined } : unknown) & {
    readonly signal?: AbortSignal | undefined
  }

/** The method of an operation; its argument is optional where no input is required. */
export type MethodOf<O extends Operation> = InOtherForm<O> &
  (object extends CallOf<O>
    ? (call?: CallOf<O>) => Promise<ResponseOf<O>>
    : (call: CallOf<O>) => Promise<ResponseOf<O>>)

/** The response in another format than JSON: its raw bytes. A stream that fails is incomplete. */
type InOtherForm<O extends Operation> = O['answer'] extends { readonly otherForms: infer Forms }
  ? (call: CallOf<O> & { readonly accept: keyof Forms }) => Promise<ReadableStream<Uint8Array>>
  : unknown

export type HavnClient = { readonly [Id in OperationId]: MethodOf<Operations[Id]> }

/** What every call shares. */
type Connection = {
  readonly addresses: Addresses
  readonly fetch: typeof fetch
  readonly userAgent: string
  readonly timeoutMilliseconds: number
}

/** Creates a client. No request is sent before the first call. */
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
  // The methods are built from the same entries as their types.
  return Object.fromEntries(methods) as HavnClient
}

async function perform(connection: Connection, tokens: AccessTokens, entry: Operation, call: Call): Promise<unknown> {
  const response =
    entry.admits === 'anyone'
      ? await send(connection, entry, call)
      : await sendWithToken(connection, tokens, entry, call)
  const isAccepted = response.status === ACCEPTED && entry.answer.continuesWith !== undefined
  if (response.status !== entry.answer.status && !isAccepted) {
    throw await readHavnError(entry, response)
  }
  if (call.accept !== undefined) {
    return response.body
  }
  return entry.answer.schema === null ? undefined : await response.json()
}

/** A token that the service rejects is renewed once; nothing else is ever retried. */
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
    throw await readHavnError(entry, response)
  }
  return readToken(await response.json())
}

/** Calls share the token request: an aborted call does not abort it for the rest. */
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
