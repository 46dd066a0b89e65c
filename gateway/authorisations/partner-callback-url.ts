/** Writes the outcome of an SCA session into the partner's callback URL. */
import type { ScaOutcome } from './sca-session.ts'

/** The partner's callback URL with the confirmed outcome, which replaces a `status` that it has already. */
export function withStatusParameter(callbackUrl: string, outcome: ScaOutcome): string {
  const url = new URL(callbackUrl)
  url.searchParams.set('status', outcome)
  return url.href
}
