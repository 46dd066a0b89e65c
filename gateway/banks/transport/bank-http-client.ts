/** Sends HTTP requests to banks over pooled connections, with limits on queues, time and size; follows no redirects. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { wallMilliseconds } from '../../platform/clock.ts'
import type { TppIdentity } from '../certificates/tpp-certificates.ts'
import type { Bank } from '../connector/bank.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse, StreamedBankResponse } from '../connector/connector-dependencies.ts'
import { BANK_CALL_LIMITS, type BankCallLimits, createBankCallLimiter, createSlots } from './bank-call-limits.ts'
import { type EndOfExchange, exchange } from './http-exchange.ts'
import { exchangeStreaming } from './http-response-stream.ts'

/** Any answer of the bank, errors included, or none. */
export type CallOutcome = 'answered' | 'failed'

/** A finished call, for metrics, traces and the bank's health. */
export type BankCall = {
  readonly bank: string
  readonly operation: string
  readonly requestId: string | null
  readonly milliseconds: number
  /** Rejections by the bank count as answers; server errors, throttling and timeouts count as failures. */
  readonly outcome: CallOutcome
} & (
  | { readonly status: number }
  /** Why there is no complete answer. `sent`: the bank may have received the request. */
  | { readonly error: string; readonly sent: boolean }
)

/**
 * Is called for every finished call; must not throw. The response of a stream is null, like a missing one.
 * `failedBefore`: the last call about the same resource failed, too.
 */
export type BankCallObserver = (
  call: BankCall,
  exchange: { readonly request: BankRequest; readonly response: BankResponse | null; readonly failedBefore: boolean },
) => void

/** What is called: a bank, or another service under a name of its own. */
type Called = Pick<Bank, 'bic'>

/** Opens the client; `close` waits for calls in flight. */
export function openBankHttpClient<To extends Called = Bank>(settings: {
  readonly observer: BankCallObserver
  readonly limits?: Partial<BankCallLimits>
  /** Our current certificate for a bank and additional CAs; called for each request. Throws for a bank without one. */
  readonly identity?: (bank: To) => ConnectionIdentity
}): {
  fetch(to: To, request: BankRequest): Promise<BankResponse>
  stream(to: To, request: BankRequest): Promise<StreamedBankResponse>
  resetFailures(): void
  close(): Promise<void>
} {
  const limits = { ...BANK_CALL_LIMITS, ...settings.limits }
  const identity = settings.identity ?? (() => NO_IDENTITY)
  const pool = openBankConnectionPool(limits)
  const streamPool = openBankConnectionPool({ ...limits, connectionsPerHostMax: limits.streamsPerHostMax })
  const limiter = createBankCallLimiter(limits)
  const streamSlots = new Map<string, ReturnType<typeof createSlots>>()
  return {
    // Calls that the limiter rejects are not observed: they say nothing about the bank's health.
    fetch: async (to, request) => {
      identity(to)
      return await limiter.pass(to.bic, request, (failedBefore) => {
        const ended = reportTo(settings.observer, to, { request, failedBefore })
        return exchange(pool.dispatcherOf(identity(to)), request, limits, ended)
      })
    },
    stream: async (to, request) => {
      identity(to)
      const acquire = streamSlots.getOrInsertComputed(to.bic, () => createSlots(limits.streamsPerBankMax, limits))
      const release = await acquire()
      const observer: BankCallObserver = (call, exchanged) => {
        release()
        settings.observer(call, exchanged)
      }
      try {
        return await limiter.pass(to.bic, request, (failedBefore) => {
          const ended = reportTo(observer, to, { request, failedBefore })
          return exchangeStreaming(streamPool.dispatcherOf(identity(to)), request, limits, ended)
        })
      } catch (error) {
        release()
        throw error
      }
    },
    resetFailures: () => limiter.forget(),
    close: async () => {
      await Promise.all([pool.close(), streamPool.close()])
    },
  }
}

/**
 * Reports the end of a call, within the trace of its request: a connection belongs to that of the call that opened it. A
 * stream has its own time, until the answer began.
 */
function reportTo(
  observer: BankCallObserver,
  { bic }: Called,
  made: { readonly request: BankRequest; readonly failedBefore: boolean },
): EndOfExchange {
  const startedAt = wallMilliseconds()
  const inTrace = AsyncLocalStorage.snapshot()
  const { operation, headers } = made.request
  return (end, endedAt = wallMilliseconds()) => {
    const isFailed = end instanceof BankUnreachable || end.status >= 500 || end.status === 408 || end.status === 429
    const result = end instanceof BankUnreachable ? { error: end.message, sent: end.sent } : { status: end.status }
    const outcome = isFailed ? 'failed' : 'answered'
    const milliseconds = endedAt - startedAt
    const requestId = headers['x-request-id'] ?? null
    const response = 'body' in end ? end : null
    inTrace(observer, { bank: bic, operation, requestId, milliseconds, outcome, ...result }, { ...made, response })
  }
}

/** Our certificate for connections, and the authorities that we trust. */
export type ConnectionIdentity = Pick<TppIdentity, 'name' | 'qwac' | 'authorities'>

/** No client certificate; servers are verified with the default CAs. */
export const NO_IDENTITY: ConnectionIdentity = { name: null, qwac: null, authorities: null }

/** The dispatcher for new calls under an identity. */
export type BankConnectionPool = {
  dispatcherOf(identity: ConnectionIdentity): Dispatcher
  /** Waits for calls in flight, also on replaced connections. */
  close(): Promise<void>
}

/** Shorter than the idle timeout of banks (60 s and more), so that no order is sent on a closing connection. */
const KEEP_ALIVE_MILLISECONDS = 30_000

/** Opens the pool, which has connections of their own for each named identity. */
export function openBankConnectionPool(limits: BankCallLimits): BankConnectionPool {
  const connected = new Map<string | null, { readonly used: ConnectionIdentity; readonly agent: Agent }>()
  const retiring = new Set<Promise<void>>()
  return {
    dispatcherOf: (identity) => {
      const current = connected.get(identity.name)
      if (current?.used.qwac === identity.qwac && current.used.authorities === identity.authorities) {
        return current.agent
      }
      if (current !== undefined) {
        const closing = current.agent.close().finally(() => retiring.delete(closing))
        retiring.add(closing)
      }
      const agent = openAgent(limits, identity)
      connected.set(identity.name, { used: identity, agent })
      return agent
    },
    close: async () => {
      await Promise.all([...[...connected.values()].map(({ agent }) => agent.close()), ...retiring])
    },
  }
}

/** The agent ignores proxy variables: calls go directly to the bank. */
function openAgent(limits: BankCallLimits, identity: ConnectionIdentity): Agent {
  return new Agent({
    connections: limits.connectionsPerHostMax,
    // One request at a time per connection, so that a slow answer blocks no other request.
    pipelining: 1,
    allowH2: false,
    connect: {
      timeout: limits.connectMilliseconds,
      secureContext: secureContextOf(identity),
      // The default, unless an environment variable disables it for the entire process.
      rejectUnauthorized: true,
    },
    headersTimeout: limits.headersMilliseconds,
    bodyTimeout: limits.bodyMilliseconds,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
  })
}

/** One context for all connections: loading all CA certificates takes longer than a handshake. Node shares its own. */
function secureContextOf({ qwac, authorities }: ConnectionIdentity): SecureContext {
  return createSecureContext({
    // PSD2 interfaces require TLS 1.2.
    minVersion: 'TLSv1.2',
    ...(authorities === null ? {} : { ca: [...getCACertificates('default'), authorities] }),
    ...(qwac === null ? {} : { cert: qwac.certificatePem, key: qwac.keyPem }),
  })
}

export type PublicCall = {
  readonly service: string
  readonly operation: string
  /** An HTTP status, or `unreachable`. */
  readonly outcome: string
  readonly milliseconds: number
}

export type PublicHttpClient = {
  /** Returns the answer, whatever its status, without redirects. Throws `BankUnreachable` without a complete answer. */
  send(service: string, request: BankRequest): Promise<BankResponse>
  /** Waits for calls in flight. */
  close(): Promise<void>
}

/** Opens a client for services other than banks, without a client certificate and with the limits of bank calls. */
export function openPublicHttpClient(limits: BankCallLimits, observe: (call: PublicCall) => void): PublicHttpClient {
  const { fetch, close } = openBankHttpClient<Called>({
    limits,
    observer: ({ bank: service, operation, milliseconds, ...end }) =>
      observe({ service, operation, milliseconds, outcome: 'error' in end ? 'unreachable' : String(end.status) }),
  })
  return { send: (service, request) => fetch({ bic: service }, request), close }
}
