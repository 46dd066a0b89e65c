/** Options and report of probing a bank, for any standard. */

/** Options of a probe. */
export type ProbeOptions = {
  /** A user id at the bank, preferably a test user; null sends none. */
  readonly userId: string | null
  /** The company that the user acts for; null sends none. */
  readonly organisationNumber: string | null
}

export type ProbeReport = {
  readonly findings: readonly Finding[]
  /** Observations that concern no setting. */
  readonly notes: readonly string[]
  /** All calls in order. */
  readonly calls: readonly ProbeCall[]
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
