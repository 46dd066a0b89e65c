/** What a session of the hosted flow is: one browser that came by one link, the starter's or that of a signer. */

export type OnboardingSession = {
  readonly partnerId: string
  readonly id: string
  readonly onboardingId: string
  /** Whose link it came by; null for the starter's, which the partner was given. */
  readonly signerId: string | null
  readonly tokenHash: string
  /** From when on it sees what people wrote of themselves: it typed that itself, or its user has identified. */
  readonly trustedAt: Temporal.Instant | null
  /** Wall time. */
  readonly expiresAt: Temporal.Instant
}

/** A browser is asked for its link again after that; wall time. */
export const SESSION_HOURS = 24
