/** The entries of the audit log, and which of them a search returns. */

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

/** Which entries a search returns; those that are undefined exclude nothing. */
export type AuditLogFilter = {
  /** Null for the entries of all partners and of Havn itself. */
  readonly partnerId: string | null
  readonly subjectId: string | undefined
  /** Entries from this id on, and before that one: ids are in the order of time. */
  readonly fromId: string | undefined
  readonly beforeId: string | undefined
}

/** An entry with its partner, whose name is null for entries about Havn itself. */
export type FoundAuditEntry = {
  readonly id: string
  readonly at: Temporal.Instant
  readonly partnerName: string | null
  readonly actor: string
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string
  readonly detail: Readonly<Record<string, unknown>>
}
