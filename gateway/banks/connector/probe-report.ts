/** Options and report of probing a bank, for any standard. */

export type ProbeOptions = {
  /** A user id at the bank, preferably a test user; null sends none. */
  readonly userId: string | null
  /** The company that the user acts for; null sends none. */
  readonly organisationNumber: string | null
  readonly stop?: ProbeStop
}

/** Both end at once, without waiting for the bank's answer to the request in flight. */
export type ProbeStop = {
  /** Ends the probing; what was created is still deleted. */
  readonly probing: AbortSignal
  /** Ends the deletion, too. */
  readonly deletion: AbortSignal
}

export type ProbeReport = {
  readonly findings: readonly Finding[]
  /** Observations that concern no setting. */
  readonly notes: readonly string[]
  /** All calls in order. */
  readonly calls: readonly ProbeCall[]
  /** What the probe created, or may have created, and could not delete. */
  readonly remaining: readonly RemainingResource[]
  /** Why the probe ended early: a missing answer, or an interruption; null when it is complete. */
  readonly endedBy: unknown
}

/** A resource at the bank that a person has to cancel, or to look for. */
export type RemainingResource = {
  /** As in the path: `payments`, `bulk-payments`, `consents`, `signing-baskets`. */
  readonly service: string
  /** The payment product; null for consents and baskets. */
  readonly product: string | null
  /** Null where the bank's answer has none: it may know the resource by `requestId`. */
  readonly id: string | null
  /** The `X-Request-ID` of its creation. */
  readonly requestId: string
  readonly state: string
}

export type ProbeCall = { readonly call: string; readonly answer: string }

/** The result for one setting. */
export type Finding = {
  /** Path of the setting in the profile, e.g. `dialect.consentAccess`. */
  readonly setting: string
  /** The current value in the profile. */
  readonly profile: string
  /** The value that the answers suggest; null where they are inconclusive. */
  readonly suggested: string | null
  readonly because: string
}

/** Whether any answer showed a setting. */
export function hasLearned({ findings }: Pick<ProbeReport, 'findings'>): boolean {
  return findings.some(({ suggested }) => suggested !== null)
}

/** Creates a finding; `suggested` is undefined where the answers are inconclusive. Values are shown as JSON. */
export function finding(
  setting: string,
  { profile, suggested }: { readonly profile: unknown; readonly suggested: unknown },
  because: string,
): Finding {
  return {
    setting,
    profile: formatValue(profile),
    suggested: suggested === undefined ? null : formatValue(suggested),
    because,
  }
}

/** Whether the profile should be changed. */
export function isChange({ profile, suggested }: Finding): boolean {
  return suggested !== null && suggested !== profile
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
