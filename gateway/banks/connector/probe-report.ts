/** What probing a bank takes and finds, whatever its standard is. */

/** What an operator may say of a probe. */
export type ProbeOptions = {
  /** A user of the bank, best a test user of its own; null asks as nobody in particular. */
  readonly userId: string | null
  /** The company that the user acts for; null names none. */
  readonly organisationNumber: string | null
}

export type ProbeReport = {
  readonly findings: readonly Finding[]
  /** What is worth knowing and no setting. */
  readonly notes: readonly string[]
  /** Every call, in order. */
  readonly calls: readonly ProbeCall[]
}

export type ProbeCall = { readonly call: string; readonly answer: string }

/** What was found out about one setting. */
export type Finding = {
  /** Where the setting is in the profile, e.g. `dialect.consentAccess`. */
  readonly setting: string
  /** As the profile has it. */
  readonly profile: string
  /** What the answers suggest; null where they do not tell. */
  readonly suggested: string | null
  readonly because: string
}

/** A finding; `suggested` is undefined where the answers do not tell. Values are compared and shown as JSON. */
export function finding(
  setting: string,
  { profile, suggested }: { readonly profile: unknown; readonly suggested: unknown },
  because: string,
): Finding {
  return { setting, profile: shown(profile), suggested: suggested === undefined ? null : shown(suggested), because }
}

/** Whether the profile should be changed. */
export function isChange({ profile, suggested }: Finding): boolean {
  return suggested !== null && suggested !== profile
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
