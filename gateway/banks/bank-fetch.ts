/** Sends requests to banks: kept-alive connections, limits on everything that may wait or grow, no redirects. */
import { Agent, type Dispatcher } from 'undici'
import { wallMilliseconds } from '../foundation/clock.ts'
import type { Bank } from './bank.ts'
import { BankUnreachable } from './bank-refusal.ts'
import { openCallLimit } from './call-limit.ts'
import type { BankFetch, BankRequest, BankResponse } from './connector.ts'
import { exchange } from './http-exchange.ts'

/** One call as it ended, for metrics, traces and the bank's health. */
export type BankCall = {
  readonly bank: string
  readonly operation: string
  readonly requestId: string | null
  readonly milliseconds: number
} & (
  | { readonly status: number }
  /** Why no whole answer came. `sent`: the bank may have received the request. */
  | { readonly error: string; readonly sent: boolean }
)

/** Is told of every call; must not throw. */
export type BankCallObserver = (call: BankCall) => void

/** What a call, and all calls to one bank together, may take. */
export type BankFetchLimits = {
  readonly connectMilliseconds: number
  readonly headersMilliseconds: number
  readonly bodyMilliseconds: number
  readonly callMilliseconds: number
  readonly responseBytesMax: number
  readonly connectionsPerHostMax: number
  readonly callsPerBankMax: number
  readonly queuePerBankMax: number
  readonly queueMilliseconds: number
}

export const BANK_FETCH_LIMITS: BankFetchLimits = {
  connectMilliseconds: 5_000,
  /** Banks check orders in their core system before they answer; the slowest take tens of seconds. */
  headersMilliseconds: 30_000,
  /** Between two parts of a body. */
  bodyMilliseconds: 10_000,
  /** All in all, connecting included, so that a dripping answer ends too. */
  callMilliseconds: 45_000,
  /** A day of entries of a busy account is 2–3 MB. */
  responseBytesMax: 10 * 1024 * 1024,
  /** A data centre serves many banks on one host: as much as eight busy ones. */
  connectionsPerHostMax: 512,
  /** At a bank that answers after 600 ms this is some 100 calls a second. */
  callsPerBankMax: 64,
  /** Twice what is under way, so that a burst waits and a flood is told to come back. */
  queuePerBankMax: 128,
  queueMilliseconds: 5_000,
}

/** An idle connection is given up before banks' front ends do so (60 s and more), lest an order meets a closing one. */
const KEEP_ALIVE_MILLISECONDS = 30_000

/** Opens the way to all banks; `close` waits for calls under way. */
export function openBankFetch(settings: {
  readonly observer: BankCallObserver
  readonly limits?: Partial<BankFetchLimits>
}): { readonly fetch: BankFetch; close(): Promise<void> } {
  const limits = { ...BANK_FETCH_LIMITS, ...settings.limits }
  const agent = openAgent(limits)
  const admission = openCallLimit(limits)
  return {
    fetch: async (bank, request) => {
      // Who is turned away here has not called the bank, and says nothing of its health.
      const leave = await admission.enter(bank.bic)
      try {
        return await observed(settings.observer, bank, request, () => exchange(agent, request, limits))
      } finally {
        leave()
      }
    },
    close: () => agent.close(),
  }
}

/** The agent reads no proxy variables: calls go to the bank itself, or nowhere. */
function openAgent(limits: BankFetchLimits): Dispatcher {
  return new Agent({
    connections: limits.connectionsPerHostMax,
    // One request at a time on a connection: behind a slow answer nothing else may wait.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: limits.connectMilliseconds },
    headersTimeout: limits.headersMilliseconds,
    bodyTimeout: limits.bodyMilliseconds,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
  })
}

async function observed(
  observer: BankCallObserver,
  bank: Bank,
  request: BankRequest,
  call: () => Promise<BankResponse>,
): Promise<BankResponse> {
  const begun = wallMilliseconds()
  const about = { bank: bank.bic, operation: request.operation, requestId: request.headers['x-request-id'] ?? null }
  try {
    const response = await call()
    observer({ ...about, milliseconds: wallMilliseconds() - begun, status: response.status })
    return response
  } catch (error) {
    if (error instanceof BankUnreachable) {
      observer({ ...about, milliseconds: wallMilliseconds() - begun, error: error.message, sent: error.sent })
    }
    throw error
  }
}
