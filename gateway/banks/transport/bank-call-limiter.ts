/** Limits the concurrent and queued calls to each bank, with circuit breakers for orders and for other calls. */
import { BrokenCircuitError, BulkheadRejectedError, bulkhead, CircuitState } from 'cockatiel'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { type Circuit, circuitOf, createCircuitBreaker } from './circuit-breaker.ts'

/** Limits of calls in flight and in the queue, the queue timeout, and the consecutive failures that open a circuit. */
export type BankCallLimiterSettings = {
  readonly callsPerBankMax: number
  readonly queuePerBankMax: number
  readonly queueMilliseconds: number
  readonly failuresInRowMax: number
}

/** Executes calls. Throws `BankUnreachable` with `sent` false for calls that it rejects. */
export type BankCallLimiter = {
  pass<Answer extends BankResponse>(
    bic: string,
    request: Pick<BankRequest, 'operation'>,
    call: () => Promise<Answer>,
  ): Promise<Answer>
  /** Closes all circuits. */
  forget(): void
}

/** Creates a limiter for each bank at its first call. */
export function createBankCallLimiter(limits: BankCallLimiterSettings): BankCallLimiter {
  const limiterByBic = new Map<string, BankCallLimiter['pass']>()
  return {
    pass: async (bic, request, call) => {
      const limiter = limiterByBic.get(bic) ?? limiterForBank(limits)
      limiterByBic.set(bic, limiter)
      return await limiter(bic, request, call)
    },
    forget: () => limiterByBic.clear(),
  }
}

function limiterForBank(limits: BankCallLimiterSettings): BankCallLimiter['pass'] {
  const slots = bulkhead(limits.callsPerBankMax, limits.queuePerBankMax)
  const breakers: Readonly<Record<Circuit, ReturnType<typeof createCircuitBreaker>>> = {
    orders: createCircuitBreaker(limits.failuresInRowMax),
    others: createCircuitBreaker(limits.failuresInRowMax),
  }
  return async (_bic, { operation }, call) => {
    const breaker = breakers[circuitOf(operation)]
    if (breaker.state === CircuitState.HalfOpen) {
      throw new BankUnreachable('The bank failed its recent calls and is being probed with one call', false)
    }
    try {
      return await withQueueTimeout(limits, (waiting, begun) =>
        breaker.execute(() =>
          slots.execute(() => {
            begun()
            return call()
          }, waiting),
        ),
      )
    } catch (error) {
      throw toBankUnreachable(error)
    }
  }
}

/** Rejects with `BankUnreachable` when the call has not begun before the queue timeout; it is then never begun. */
export async function withQueueTimeout<Answer>(
  { queueMilliseconds }: Pick<BankCallLimiterSettings, 'queueMilliseconds'>,
  pass: (waiting: AbortSignal, begun: () => void) => Promise<Answer>,
): Promise<Answer> {
  const waiting = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    waiting.abort()
    late.reject(new BankUnreachable('Too many calls to the bank are in flight; the queue timeout has passed', false))
  }, queueMilliseconds)
  const passed = pass(waiting.signal, () => clearTimeout(timer))
  try {
    return await Promise.race([passed, late.promise])
  } finally {
    clearTimeout(timer)
    // The queued call is aborted and rejects later, when there is no listener any more.
    passed.catch(() => undefined)
  }
}

/** Converts a rejection by the library to `BankUnreachable`; returns other errors unchanged. */
export function toBankUnreachable(error: unknown): unknown {
  if (error instanceof BulkheadRejectedError) {
    return new BankUnreachable('The queue of calls to the bank is full', false, error)
  }
  return error instanceof BrokenCircuitError
    ? new BankUnreachable('The bank failed its recent calls; calls to it are paused for a moment', false, error)
    : error
}
