/** The settings of a client, and what is derived from them once. */
import { scopesByEnvironment } from './generated/operation-table.ts'
import type { OperationEntry } from './operation-entry.ts'
import { HAVN_CLIENT_VERSION } from './version.ts'

/** An environment with a well-known scope. */
export type HavnEnvironment = keyof typeof scopesByEnvironment

/** Settings of a client. Credentials belong on a trusted backend, never in a browser. */
export type HavnClientSettings = {
  /** The base URL of the API, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** The base URL of the token endpoint, if it is another. */
  readonly authUrl?: string | undefined
  /** The base URL of onboarding, if it is another. */
  readonly onboardingUrl?: string | undefined
  /** The id of the credentials. */
  readonly clientId: string
  /** The secret of the credentials. */
  readonly clientSecret: string
  /** The environment, or the scope of a custom one. */
  readonly environment: HavnEnvironment | { readonly scope: string }
  /** The timeout of each attempt in seconds; 60 by default, which is longer than a call to a bank may take. */
  readonly timeoutSeconds?: number | undefined
  /** The maximum number of retries of a call that may be repeated safely; 3 by default, 0 disables retries. */
  readonly maxRetries?: number | undefined
  /** The name and version of your program, for example `my-erp/7.1`; sent in front of the client's own. */
  readonly userAgent?: string | undefined
  /** Sends the requests, for proxies or tracing; the platform's own `fetch` by default. */
  readonly fetch?: typeof fetch | undefined
  /** Called after each attempt of each call, token requests included; for logs and metrics. What it throws is ignored. */
  readonly onAttempt?: ((attempt: HavnAttempt) => void) | undefined
}

/** One attempt of a call. It holds no credentials, bodies or personal data. */
export type HavnAttempt = {
  /** The operation, by its id. */
  readonly operation: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** The HTTP status; undefined when there was no response. */
  readonly status: number | undefined
  /** The id of the request; undefined when there was no response. */
  readonly svcRequestId: string | undefined
  /** The duration of the attempt. */
  readonly milliseconds: number
  /** After how long it is retried; undefined when it is not. */
  readonly retryInMilliseconds: number | undefined
  /** What the service warns of, such as unknown fields in the request; undefined without warnings. */
  readonly warnings: string | undefined
}

/** What every call of a client shares. */
export type Connection = {
  readonly addresses: Addresses
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  readonly fetch: typeof fetch
  readonly userAgent: string
  readonly timeoutMilliseconds: number
  readonly maxRetries: number
  readonly onAttempt: (attempt: HavnAttempt) => void
}

/** The base URLs of an environment. */
export type Addresses = { readonly [server in OperationEntry['server']]: string }

const TIMEOUT_SECONDS = 60
const RETRIES = 3
const RETRIES_MAX = 10
/** The maximum delay of a timer of the platform, about 24 days. */
const TIMEOUT_SECONDS_MAX = 2_000_000

/** Checks the settings; a wrong one is a `TypeError` that names it. */
export function openConnection(settings: HavnClientSettings): Connection {
  const { clientId, clientSecret, environment, baseUrl } = settings
  const base = requireUrl('baseUrl', baseUrl)
  return {
    addresses: {
      base,
      auth: settings.authUrl === undefined ? base : requireUrl('authUrl', settings.authUrl),
      onboarding: settings.onboardingUrl === undefined ? base : requireUrl('onboardingUrl', settings.onboardingUrl),
    },
    clientId: requireText('clientId', clientId),
    clientSecret: requireText('clientSecret', clientSecret),
    scope: scopeOf(environment),
    fetch: settings.fetch ?? fetch,
    userAgent: userAgentOf(settings.userAgent),
    timeoutMilliseconds: requireTimeout(settings.timeoutSeconds ?? TIMEOUT_SECONDS) * 1_000,
    maxRetries: requireRetries(settings.maxRetries ?? RETRIES),
    onAttempt: settings.onAttempt ?? (() => undefined),
  }
}

/** A timeout in seconds, of a client or a call. */
export function requireTimeout(seconds: number): number {
  if (!(seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX)) {
    throw new TypeError(`timeoutSeconds must be above 0 and at most ${TIMEOUT_SECONDS_MAX}, not ${shown(seconds)}`)
  }
  return seconds
}

/** A number of retries, of a client or a call. */
export function requireRetries(retries: number): number {
  if (!(Number.isInteger(retries) && retries >= 0 && retries <= RETRIES_MAX)) {
    throw new TypeError(`maxRetries must be a whole number from 0 to ${RETRIES_MAX}, not ${shown(retries)}`)
  }
  return retries
}

/** A base URL without the slash at its end. Requests carry secrets, so it is one of a server of ours and nothing more. */
function requireUrl(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isBase = url !== undefined && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === ''
  if (!isBase) {
    throw new TypeError(`${name} must be an http or https URL, for example http://127.0.0.1:8080, not ${shown(value)}`)
  }
  return value.replace(/(?<!\/)\/+$/, '')
}

function requireText(name: string, value: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(
      `${name} must be the text that the operator issued; it is ${value === '' ? 'empty' : typeof value}`,
    )
  }
  return value
}

function scopeOf(environment: HavnClientSettings['environment']): string {
  const scope = typeof environment === 'string' ? scopesByEnvironment[environment] : environment?.scope
  if (typeof scope !== 'string' || scope === '') {
    const names = Object.keys(scopesByEnvironment).join(', ')
    throw new TypeError(`environment must be one of ${names}, or { scope }, not ${shown(environment)}`)
  }
  return scope
}

function userAgentOf(program: string | undefined): string {
  const own = `havn-client-typescript/${HAVN_CLIENT_VERSION}`
  if (program !== undefined && !/^[!-~]([ -~]*[!-~])?$/.test(program)) {
    throw new TypeError(`userAgent must be printable ASCII, for example my-erp/7.1, not ${shown(program)}`)
  }
  return program === undefined ? own : `${program} ${own}`
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
