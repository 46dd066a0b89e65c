/** Breaks the circuit to a bank that fails: one for orders, which it may fail to accept while it answers all other calls. */
import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleType,
  noJitterGenerator,
} from 'cockatiel'
import { BankUnreachable } from '../connector/bank-error.ts'

/** `orders` are initiations; `others` are all other calls, such as status reads and revocations. */
export type Circuit = 'orders' | 'others'

const ORDERS: ReadonlySet<string> = new Set(['initiatePayment', 'initiateBulkPayment'])

/** An open circuit is tried again after the initial delay, then after twice as long each time. */
const OPEN_MILLISECONDS = { initialDelay: 1_000, maxDelay: 30_000, generator: noJitterGenerator }
const SERVER_ERROR = 500
const REQUEST_TIMEOUT = 408

/** The circuit of a call by its operation name. */
export function circuitOf(operation: string): Circuit {
  return ORDERS.has(operation) ? 'orders' : 'others'
}

/** Opens after so many consecutive failures: an unreachable bank, a server error or a timeout that the bank reports. */
export function createCircuitBreaker(failuresInRowMax: number): CircuitBreakerPolicy {
  const failing = handleType(BankUnreachable).orWhenResult((answer) => isServerError(answer))
  return circuitBreaker(failing, {
    halfOpenAfter: new ExponentialBackoff(OPEN_MILLISECONDS),
    breaker: new ConsecutiveBreaker(failuresInRowMax),
  })
}

function isServerError(answer: unknown): boolean {
  const status = typeof answer === 'object' && answer !== null && 'status' in answer ? Number(answer.status) : 0
  return status >= SERVER_ERROR || status === REQUEST_TIMEOUT
}
