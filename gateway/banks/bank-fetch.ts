/** Sends requests to banks: kept-alive connections, limits on everything that may wait or grow, no redirects. */
import { wallMilliseconds } from '../foundation/clock.ts'
import type { Bank } from './bank.ts'
import { openBankAgents } from './bank-agents.ts'
import { BankUnreachable } from './bank-refusal.ts'
import { openCallGate } from './call-gate.ts'
import type { BankIdentity } from './certificates/certificates.ts'
import type { BankFetch, BankRequest, BankResponse, BankStream, BankStreamed } from './connector-tools.ts'
import { exchange } from './http-exchange.ts'
import { exchangeInParts, type StreamEnd, type StreamLimits } from './http-stream.ts'
import { openStreamPlaces } from './stream-places.ts'

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
export type BankFetchLimits = StreamLimits & {
  readonly connectMilliseconds: number
  readonly headersMilliseconds: number
  readonly bodyMilliseconds: number
  readonly connectionsPerHostMax: number
  readonly streamsPerHostMax: number
  readonly callsPerBankMax: number
  readonly streamsPerBankMax: number
  readonly queuePerBankMax: number
  readonly queueMilliseconds: number
  readonly failuresInRowMax: number
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
  /** Reading at a partner's pace takes its time; who reads no faster than this has left without a word. */
  streamMilliseconds: 1_800_000,
  /** A year of 100 000 entries in one answer is 80 MB at most banks. */
  streamBytesMax: 512 * 1024 * 1024,
  /** Pages of most banks fit in, so that no bank waits for a partner that reads slowly. */
  streamAheadBytes: 1024 * 1024,
  /** A data centre serves many banks on one host: as much as eight busy ones. */
  connectionsPerHostMax: 512,
  /** Connections of their own: what is read for half an hour leaves those of payments alone. */
  streamsPerHostMax: 256,
  /** At a bank that answers after 600 ms this is some 100 calls a second. */
  callsPerBankMax: 64,
  /** Answers that are being read, however slowly, from when they are asked for; besides the calls. */
  streamsPerBankMax: 32,
  /** Twice what is under way, so that a burst waits and a flood is told to come back. */
  queuePerBankMax: 128,
  queueMilliseconds: 5_000,
  /** Those who can wait leave a bank alone sooner than users do (PAUSE_RULE). */
  failuresInRowMax: 10,
}

/** Banks are spoken to without a certificate, and believed if everybody's authorities vouch for them. */
const NO_IDENTITY = { qwac: null, authorities: null }

/** Opens the way to all banks; `close` waits for calls under way. */
export function openBankFetch(settings: {
  readonly observer: BankCallObserver
  readonly limits?: Partial<BankFetchLimits>
  /** What banks are to know us by, at each call. */
  readonly identity?: () => Pick<BankIdentity, 'qwac' | 'authorities'>
}): { readonly fetch: BankFetch; readonly stream: BankStream; forgetFailures(): void; close(): Promise<void> } {
  const limits = { ...BANK_FETCH_LIMITS, ...settings.limits }
  const identity = settings.identity ?? (() => NO_IDENTITY)
  const agents = openBankAgents(limits, identity)
  const agentsOfStreams = openBankAgents({ ...limits, connectionsPerHostMax: limits.streamsPerHostMax }, identity)
  const gate = openCallGate(limits)
  const places = openStreamPlaces(limits)
  return {
    // Who is turned away at the gate has not called the bank, and says nothing of its health.
    fetch: (bank, request) =>
      gate.pass(bank.bic, request, () =>
        observed(settings.observer, bank, request, () => exchange(agents.current(), request, limits)),
      ),
    stream: async (bank, request) => {
      const leave = await places.take(bank.bic)
      const observer: BankCallObserver = (call) => {
        leave()
        settings.observer(call)
      }
      try {
        return await gate.pass(bank.bic, request, () =>
          observedInParts(observer, bank, request, (ended) =>
            exchangeInParts(agentsOfStreams.current(), request, limits, ended),
          ),
        )
      } catch (error) {
        leave()
        throw error
      }
    },
    forgetFailures: () => gate.forget(),
    close: async () => {
      await Promise.all([agents.close(), agentsOfStreams.close()])
    },
  }
}

async function observed(
  observer: BankCallObserver,
  bank: Bank,
  request: BankRequest,
  call: () => Promise<BankResponse>,
): Promise<BankResponse> {
  const begun = wallMilliseconds()
  const about = aboutCall(bank, request)
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

/** Of an answer that is read in parts the time until it began is told, and how it ended. */
async function observedInParts(
  observer: BankCallObserver,
  bank: Bank,
  request: BankRequest,
  call: (ended: StreamEnd) => Promise<BankStreamed>,
): Promise<BankStreamed> {
  const begun = wallMilliseconds()
  let answeredAfter: number | undefined
  const response = await call((end) => {
    const milliseconds = answeredAfter ?? wallMilliseconds() - begun
    const about = { ...aboutCall(bank, request), milliseconds }
    observer(end instanceof BankUnreachable ? { ...about, error: end.message, sent: end.sent } : { ...about, ...end })
  })
  answeredAfter = wallMilliseconds() - begun
  return response
}

function aboutCall(
  bank: Bank,
  { operation, headers }: BankRequest,
): Pick<BankCall, 'bank' | 'operation' | 'requestId'> {
  return { bank: bank.bic, operation, requestId: headers['x-request-id'] ?? null }
}
