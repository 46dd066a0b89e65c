/** Returns the provider of a deal or receipt, and schedules retries of failed provider calls. */
import type { Context } from '../../context.ts'
import type { FxProvider } from './fx-provider.ts'
import { FxProviderError, isTransient } from './fx-provider-error.ts'

/** Throws when another provider or none is configured: open deals wait until theirs is configured again. */
export function providerOf({ fx }: Context, { provider }: { readonly provider: string }): FxProvider {
  if (fx === null || fx.name !== provider) {
    throw new Error(`FX provider "${provider}" is not configured`)
  }
  return fx
}

/** The number of failed attempts, and since when they fail. */
export type FailureRecord = { readonly attempts: number; readonly failingSince: Temporal.Instant | null }

/** The record after one more attempt, the time of the next one, and whether an operator must act. */
export type ScheduledRetry = FailureRecord & { readonly at: Temporal.Instant; readonly isStuck: boolean }

/** Backoff in seconds; the last value repeats. */
const WAITS_SECONDS = [5, 15, 60, 300, 900, 3600]
/** An operator task is raised after so many attempts, that is after six minutes. */
const ATTEMPTS_BEFORE_TASK = 5
/** Rate limiting does not count as a failed attempt; it needs an operator only when it lasts. */
const RATE_LIMITED_BEFORE_TASK = { minutes: 20 }

/** Permanent errors need an operator at once, transient ones when they last. */
export function scheduleRetry(now: Temporal.Instant, before: FailureRecord, error: FxProviderError): ScheduledRetry {
  if (error.kind === 'rate-limited') {
    const seconds = Math.max(1, Math.ceil(error.retryAfterSeconds ?? WAITS_SECONDS[0] ?? 1))
    const failingSince = before.failingSince ?? now
    const isStuck = Temporal.Instant.compare(now, failingSince.add(RATE_LIMITED_BEFORE_TASK)) >= 0
    return { attempts: before.attempts, failingSince, at: now.add({ seconds }), isStuck }
  }
  const attempts = before.attempts + 1
  const seconds = WAITS_SECONDS[Math.min(attempts, WAITS_SECONDS.length) - 1] ?? 0
  const isStuck = attempts >= ATTEMPTS_BEFORE_TASK || !isTransient[error.kind]
  return { attempts, failingSince: before.failingSince ?? now, at: now.add({ seconds }), isStuck }
}

/** A request that is still in flight reaches the provider within this time, or never. */
export const LATE_ARRIVAL = { minutes: 3 }

/** Makes a call and returns a provider's error as a value; rethrows anything else, which is a bug. */
export async function tryProviderCall<Result>(
  call: () => Promise<Result>,
): Promise<{ done: Result } | { error: FxProviderError }> {
  try {
    return { done: await call() }
  } catch (error) {
    if (error instanceof FxProviderError) {
      return { error }
    }
    throw error
  }
}
