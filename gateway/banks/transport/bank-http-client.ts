/** Sends requests to banks: kept-alive connections, limits on everything that may wait or grow, no redirects. */
import { wallMilliseconds } from '../../platform/clock.ts'
import type { BankIdentity } from '../certificates/tpp-certificates.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type {
  BankFetch,
  BankRequest,
  BankResponse,
  BankStream,
  BankStreamed,
} from '../connector/connector-dependencies.ts'
import type { Bank } from '../directory/bank.ts'
import { openStreamPlaces } from '../stream-places.ts'
import { openCallGate } from './bank-call-limiter.ts'
import { BANK_FETCH_LIMITS, type BankFetchLimits } from './bank-call-limits.ts'
import { openBankAgents } from './bank-connection-pool.ts'
import { exchange } from './http-exchange.ts'
import { exchangeInParts, type StreamEnd } from './http-response-stream.ts'

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
