/** The entry type of the audit log. */

/** The partner id of entries about Havn itself, keys for example. */
export const NO_PARTNER = '00000000-0000-0000-0000-000000000000'

/** One action. Never contains secrets, link tokens, or data of a payroll. */
export type AuditEntry = {
  readonly partnerId: string
  /** `client <id>`, `operator <name>`, `user <name>` for a user of the console, or the program's own part. */
  readonly actor: string
  /** In the past tense: `partner created`. */
  readonly action: string
  readonly subject: readonly [type: string, id: string]
  readonly detail?: Readonly<Record<string, unknown>>
}
