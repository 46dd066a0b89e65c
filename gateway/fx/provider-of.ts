/** Finds the provider of a deal or a receipt, and says when to ask it again after it did not do what was asked. */
import type { FxContext } from './fx-context.ts'
import type { FxProvider } from './provider/fx-provider.ts'
import { FxRefusal, isPassing } from './providers/fx-provider-error.ts'

/** Throws when the gateway has another provider by now, or none: what was begun there waits until it is back. */
export function providerOf({ fx }: Pick<FxContext, 'fx'>, { provider }: { readonly provider: string }): FxProvider {
  if (fx === null || fx.name !== provider) {
    throw new Error(`The provider of exchange "${provider}" is not configured`)
  }
  return fx
}

/** How often something was tried at the provider in vain, and since when. */
export type Trouble = { readonly attempts: number; readonly failingSince: Temporal.Instant | null }

/** The trouble after one more attempt, and when the next one is made. */
export type Retry = Trouble & { readonly at: Temporal.Instant; readonly isStuck: boolean }

/** Waits in seconds after the first attempts; the last one stays. */
const WAITS_SECONDS = [5, 15, 60, 300, 900, 3600]
/** People are told after so many attempts in vain: by then it has lasted for six minutes. */
const ATTEMPTS_BEFORE_PEOPLE = 5
/** Whoever asks too often is told to wait, which is no attempt in vain, and trouble only when it lasts. */
const RATE_LIMITED_BEFORE_PEOPLE = { minutes: 20 }

/** A no that will not pass is for people at once, others when they have lasted. */
export function retryAfter(now: Temporal.Instant, before: Trouble, refusal: FxRefusal): Retry {
  if (refusal.kind === 'rate-limited') {
    const seconds = Math.max(1, Math.ceil(refusal.retryAfterSeconds ?? WAITS_SECONDS[0] ?? 1))
    const failingSince = before.failingSince ?? now
    const isStuck = Temporal.Instant.compare(now, failingSince.add(RATE_LIMITED_BEFORE_PEOPLE)) >= 0
    return { attempts: before.attempts, failingSince, at: now.add({ seconds }), isStuck }
  }
  const attempts = before.attempts + 1
  const seconds = WAITS_SECONDS[Math.min(attempts, WAITS_SECONDS.length) - 1] ?? 0
  const isStuck = attempts >= ATTEMPTS_BEFORE_PEOPLE || !isPassing[refusal.kind]
  return { attempts, failingSince: before.failingSince ?? now, at: now.add({ seconds }), isStuck }
}

/** What a call threw, when it is a provider's no; anything else is a fault of ours, and is thrown on. */
export function refusalIn(error: unknown): FxRefusal {
  if (error instanceof FxRefusal) {
    return error
  }
  throw error
}

/** Carries out a call, and gives a provider's no as a value. */
export async function attempt<Result>(call: () => Promise<Result>): Promise<{ done: Result } | { refusal: FxRefusal }> {
  try {
    return { done: await call() }
  } catch (error) {
    return { refusal: refusalIn(error) }
  }
}
