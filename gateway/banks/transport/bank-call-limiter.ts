/** Limits the calls to each bank that are in flight and wait, and has a circuit breaker for each of its circuits. */
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleType,
  noJitterGenerator,
} from 'cockatiel'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { type Circuit, circuitOf } from './circuit.ts'

/** How many calls may be under way and wait, for how long, and after how many failures in a row none is made. */
export type CallLimits = {
  readonly callsPerBankMax: number
  readonly queuePerBankMax: number
  readonly queueMilliseconds: number
  readonly failuresInRowMax: number
}

/** Passes calls on. Throws `BankUnreachable` with nothing sent for those that it turns away. */
export type CallGate = {
  pass<Answer extends BankResponse>(
    bic: string,
    request: Pick<BankRequest, 'operation'>,
    call: () => Promise<Answer>,
  ): Promise<Answer>
  /** Forgets how banks have failed: the next call of each is made. */
  forget(): void
}

/** A bank that fails every call is tried again after this long, then after twice as long each time. */
const CLOSED_MILLISECONDS = { initialDelay: 1_000, maxDelay: 30_000, generator: noJitterGenerator }
const FAULT = 500
const ASKED_TOO_LONG = 408

/** Opens a gate for each bank when it is first called. */
export function openCallGate(limits: CallLimits): CallGate {
  const gateByBic = new Map<string, CallGate['pass']>()
  return {
    pass: async (bic, request, call) => {
      const gate = gateByBic.get(bic) ?? gateOf(limits)
      gateByBic.set(bic, gate)
      return await gate(bic, request, call)
    },
    forget: () => gateByBic.clear(),
  }
}

function gateOf(limits: CallLimits): CallGate['pass'] {
  const places = bulkhead(limits.callsPerBankMax, limits.queuePerBankMax)
  const breakers: Readonly<Record<Circuit, ReturnType<typeof breakerOf>>> = {
    orders: breakerOf(limits),
    others: breakerOf(limits),
  }
  return async (_bic, { operation }, call) => {
    const breaker = breakers[circuitOf(operation)]
    if (breaker.state === CircuitState.HalfOpen) {
      throw new BankUnreachable('The bank has failed all calls of late and is being tried with one', false)
    }
    try {
      return await withinTime(limits, (waiting, begun) =>
        breaker.execute(() =>
          places.execute(() => {
            begun()
            return call()
          }, waiting),
        ),
      )
    } catch (error) {
      throw turnedAway(error)
    }
  }
}

function breakerOf({ failuresInRowMax }: CallLimits) {
  const failing = handleType(BankUnreachable).orWhenResult((answer) => isFault(answer))
  return circuitBreaker(failing, {
    halfOpenAfter: new ExponentialBackoff(CLOSED_MILLISECONDS),
    breaker: new ConsecutiveBreaker(failuresInRowMax),
  })
}

function isFault(answer: unknown): boolean {
  const status = typeof answer === 'object' && answer !== null && 'status' in answer ? Number(answer.status) : 0
  return status >= FAULT || status === ASKED_TOO_LONG
}

/** What has not begun in time never does. */
export async function withinTime<Answer>(
  { queueMilliseconds }: Pick<CallLimits, 'queueMilliseconds'>,
  pass: (waiting: AbortSignal, begun: () => void) => Promise<Answer>,
): Promise<Answer> {
  const waiting = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    waiting.abort()
    late.reject(new BankUnreachable('The calls to the bank that were under way left no room in time', false))
  }, queueMilliseconds)
  const passed = pass(waiting.signal, () => clearTimeout(timer))
  try {
    return await Promise.race([passed, late.promise])
  } finally {
    clearTimeout(timer)
    // Who was turned away listens no more when its place in the queue comes up.
    passed.catch(() => undefined)
  }
}

/** What callers read of a library's refusal; anything else as it is. */
export function turnedAway(error: unknown): unknown {
  if (error instanceof BulkheadRejectedError) {
    return new BankUnreachable('Too many calls to the bank are waiting already', false, error)
  }
  return error instanceof BrokenCircuitError
    ? new BankUnreachable('The bank has failed all calls of late and is left alone for a moment', false, error)
    : error
}
