/** Defines a session of the hosted onboarding flow: one browser and one link, the company's or a signer's. */

export type OnboardingSession = {
  readonly partnerId: string
  readonly id: string
  readonly onboardingId: string
  /** The signer whose link was used; null for the company's link. */
  readonly signerId: string | null
  readonly tokenHash: string
  /** Since when the session may read personal data: it typed the data itself, or its user has identified. */
  readonly trustedAt: Temporal.Instant | null
  /** Wall time. */
  readonly expiresAt: Temporal.Instant
}

/** Lifetime in wall time; after that the link must be opened again. */
export const SESSION_HOURS = 24
