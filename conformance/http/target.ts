/** Describes the server under test, and what the run may do there. */

/** Client credentials of a partner. */
export type PartnerCredentials = { readonly clientId: string; readonly clientSecret: string }

export type TargetOptions = {
  /** Serves `/api/…`; without a slash at the end, like the other URLs. */
  readonly baseUrl: string
  /** Issues tokens. */
  readonly authUrl: string
  /** Serves `/onboarding…`. */
  readonly onboardingUrl: string
  readonly credentials: PartnerCredentials
  readonly scope: string
  /** A second partner, to whom nothing of the first one may be visible. */
  readonly otherPartner?: PartnerCredentials | undefined
  /** An accepted consent. On a sandbox the run creates its own. */
  readonly consentId?: string | undefined
  /** The account to pay from; by default the first one that is suitable. */
  readonly account?: string | undefined
  /** The account to pay to; required outside a sandbox before anything is ordered. */
  readonly creditorAccount?: string | undefined
  /** Where deliveries arrive: a URL that leads to the receiver, and the port on which the receiver listens. */
  readonly webhookUrl?: string | undefined
  readonly webhookPort?: number | undefined
  /** Where users would return to. */
  readonly callbackUrl: string
  /** For how long a check waits for what happens at a bank, and for deliveries. */
  readonly patienceSeconds: number
  /** Sent as `PSU-IP-Address`. */
  readonly psuIpAddress: string
}

/** The options, and what was found out about the server. */
export type Target = TargetOptions & {
  /** Whether it has the operations of a sandbox, which replace the user and the bank. */
  readonly isSandbox: boolean
}
