/** Sends HTTP requests to banks over pooled connections, with limits on queues, time and size; follows no redirects. */
import { wallMilliseconds } from '../../platform/clock.ts'
import type { Bank } from '../connector/bank.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type {
  BankFetch,
  BankRequest,
  BankResponse,
  BankStream,
  StreamedBankResponse,
} from '../connector/connector-dependencies.ts'
import { createBankCallLimiter } from './bank-call-limiter.ts'
import { BANK_CALL_LIMITS, type BankCallLimits } from './bank-call-limits.ts'
import {
  type ConnectionIdentity,
  createStreamLimiter,
  NO_IDENTITY,
  openBankConnectionPool,
} from './bank-connection-pool.ts'
import { exchange } from './http-exchange.ts'
import { exchangeStreaming, type StreamEnd } from './http-response-stream.ts'

/** A finished call, for metrics, traces and the bank's health. */
export type BankCall = {
  readonly bank: string
  readonly operation: string
  readonly requestId: string | null
  readonly milliseconds: number
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

/** Opens the client; `close` waits for calls in flight. */
export function openBankHttpClient(settings: {
  readonly observer: BankCallObserver
  readonly limits?: Partial<BankCallLimits>
  /** Our current certificate for a bank and additional CAs; called for each request. Throws for a bank without one. */
  readonly identity?: (bank: Bank) => ConnectionIdentity
}): { readonly fetch: BankFetch; readonly stream: BankStream; resetFailures(): void; close(): Promise<void> } {
  const limits = { ...BANK_CALL_LIMITS, ...settings.limits }
  const identity = settings.identity ?? (() => NO_IDENTITY)
  const pool = openBankConnectionPool(limits)
  const streamPool = openBankConnectionPool({ ...limits, connectionsPerHostMax: limits.streamsPerHostMax })
  const limiter = createBankCallLimiter(limits)
  const streamLimiter = createStreamLimiter(limits)
  return {
    // Calls that the limiter rejects are not observed: they say nothing about the bank's health.
    fetch: async (bank, request) => {
      identity(bank)
      return await limiter.pass(bank.bic, request, (failedBefore) =>
        observeCall(settings.observer, bank, { request, failedBefore }, () =>
          exchange(pool.dispatcherOf(identity(bank)), request, limits),
        ),
      )
    },
    stream: async (bank, request) => {
      identity(bank)
      const release = await streamLimiter.take(bank.bic)
      const observer: BankCallObserver = (call, exchanged) => {
        release()
        settings.observer(call, exchanged)
      }
      try {
        return await limiter.pass(bank.bic, request, (failedBefore) =>
          observeStream(observer, bank, { request, failedBefore }, (ended) =>
            exchangeStreaming(streamPool.dispatcherOf(identity(bank)), request, limits, ended),
          ),
        )
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

type MadeCall = { readonly request: BankRequest; readonly failedBefore: boolean }

async function observeCall(
  observer: BankCallObserver,
  bank: Bank,
  made: MadeCall,
  call: () => Promise<BankResponse>,
): Promise<BankResponse> {
  const startedAt = wallMilliseconds()
  const labels = callLabels(bank, made.request)
  try {
    const response = await call()
    const milliseconds = wallMilliseconds() - startedAt
    observer({ ...labels, milliseconds, status: response.status }, { ...made, response })
    return response
  } catch (error) {
    if (error instanceof BankUnreachable) {
      const milliseconds = wallMilliseconds() - startedAt
      observer({ ...labels, milliseconds, error: error.message, sent: error.sent }, { ...made, response: null })
    }
    throw error
  }
}

/** For a stream the observer gets the time until the answer began, and the outcome at its end. */
async function observeStream(
  observer: BankCallObserver,
  bank: Bank,
  made: MadeCall,
  call: (ended: StreamEnd) => Promise<StreamedBankResponse>,
): Promise<StreamedBankResponse> {
  const startedAt = wallMilliseconds()
  let answeredAfter: number | undefined
  const response = await call((end) => {
    const milliseconds = answeredAfter ?? wallMilliseconds() - startedAt
    const labels = { ...callLabels(bank, made.request), milliseconds }
    observer(
      end instanceof BankUnreachable ? { ...labels, error: end.message, sent: end.sent } : { ...labels, ...end },
      { ...made, response: null },
    )
  })
  answeredAfter = wallMilliseconds() - startedAt
  return response
}

function callLabels(
  bank: Bank,
  { operation, headers }: BankRequest,
): Pick<BankCall, 'bank' | 'operation' | 'requestId'> {
  return { bank: bank.bic, operation, requestId: headers['x-request-id'] ?? null }
}
