/** Defines a session of the console: who signed in, with which roles, and when the session ends. */
import type { Config } from '../../gateway/config/config.ts'
import type { ConsoleRole } from '../../gateway/config/console-roles.ts'
import type { Operator } from '../../gateway/operators/operator-task.ts'

/** Who signed in. */
export type ConsoleUser = {
  /** The stable id of the user at whatever authenticated them: `sandbox operator-reader`. */
  readonly subject: string
  readonly name: string
  /** The partner whose data the user may see; null for operators. */
  readonly partnerId: string | null
  readonly roles: readonly ConsoleRole[]
  /** The passkey that proved who it is, with which the session ends; absent for users without passkeys. */
  readonly passkeyId?: string | null
  /** When the identity provider last had them prove who they are, in seconds since 1970; absent where it does not say. */
  readonly loggedInAtSeconds?: number
}

/** A session. All times are wall time. */
export type ConsoleSession = ConsoleUser & {
  readonly id: string
  readonly tokenHash: string
  readonly createdAt: Temporal.Instant
  readonly lastUsedAt: Temporal.Instant
  /** When the identity provider, where there is one, last reported the roles of the user. */
  readonly rolesReadAt: Temporal.Instant
  /** The User-Agent that signed in, by which users recognise their sessions. */
  readonly userAgent: string
}

/** A session that is not used for this long has ended. */
export const SESSION_IDLE_MINUTES = 60
/** A session ends after this long, however much it is used. */
export const SESSION_HOURS = 12
/** The use of a session is recorded at most this often, so that most requests write nothing. */
export const SESSION_USE_RECORDED_EVERY_SECONDS = 60

/** The times before which a session must not have been created or last used. */
export function sessionLimitsAt(real: Temporal.Instant): {
  readonly createdAfter: Temporal.Instant
  readonly lastUsedAfter: Temporal.Instant
} {
  return {
    createdAfter: real.subtract({ hours: SESSION_HOURS }),
    lastUsedAfter: real.subtract({ minutes: SESSION_IDLE_MINUTES }),
  }
}

/** After this time, changes of sign-in factors and of sessions require another sign-in: a browser may be left unattended. */
const RECENT_SIGN_IN_MINUTES = 10

export function isSignInRecent({ createdAt }: Pick<ConsoleSession, 'createdAt'>, real: Temporal.Instant): boolean {
  return real.since(createdAt).total('minutes') < RECENT_SIGN_IN_MINUTES
}

/** A session that a provider grants by an earlier login begins as one that is not recent: anyone may use the browser by now. */
export function sessionStart({ loggedInAtSeconds }: ConsoleUser, real: Temporal.Instant): Temporal.Instant {
  const recentSince = real.subtract({ minutes: RECENT_SIGN_IN_MINUTES })
  return loggedInAtSeconds !== undefined && loggedInAtSeconds * 1_000 < recentSince.epochMilliseconds
    ? recentSince
    : real
}

/**
 * Ended sessions are stored until a day after their start: a form that is sent too late is stored, one of a browser that
 * never had a session is not.
 */
const SESSION_STORED_HOURS = 24

/** As {@link sessionLimitsAt}, of the sessions that are stored. */
export function storedSessionLimitsAt(real: Temporal.Instant): ReturnType<typeof sessionLimitsAt> {
  const storedAfter = real.subtract({ hours: SESSION_STORED_HOURS })
  return { createdAfter: storedAfter, lastUsedAfter: storedAfter }
}

/** Whether the identity provider must say again which roles the user has, before the session is used. */
export function isRoleLookupDue(
  { consoleProvider }: Pick<Config, 'consoleProvider'>,
  { rolesReadAt }: Pick<ConsoleSession, 'rolesReadAt'>,
  real: Temporal.Instant,
): boolean {
  return (
    consoleProvider !== null && real.since(rolesReadAt).total('minutes') >= consoleProvider.roleLookupIntervalMinutes
  )
}

/** How often roles are looked up unless the settings say otherwise. */
export const ROLE_LOOKUP_MINUTES_DEFAULT = 15

/** The same for programs that do not know the provider: the roles of all users but those of a provider are known. */
export function isRoleLookupOverdue(
  { subject, rolesReadAt }: Pick<ConsoleSession, 'subject' | 'rolesReadAt'>,
  real: Temporal.Instant,
  minutes: number,
): boolean {
  return /^https?:/i.test(subject) && real.since(rolesReadAt).total('minutes') >= minutes
}

/** Begins the subject of a user who signs in with passkeys, and of no other. */
export const SUBJECT_PREFIX = 'user '

/** By which the sessions of a user are found. */
export function subjectOf(userId: string): string {
  return `${SUBJECT_PREFIX}${userId}`
}

/** The user of a session; undefined for one who signed in without a passkey. */
export function userIdOf({ subject }: Pick<ConsoleUser, 'subject'>): string | undefined {
  return subject.startsWith(SUBJECT_PREFIX) ? subject.slice(SUBJECT_PREFIX.length) : undefined
}

/** The user in the format of the audit log: names may be the same, and may change. */
export function actorOf({ subject, name, partnerId }: Pick<ConsoleUser, 'subject' | 'name' | 'partnerId'>): string {
  return `${partnerId === null ? 'operator' : 'user'} ${name} (${subject})`
}

/** The operator whose session it is. */
export function operatorOf(session: Pick<ConsoleUser, 'subject' | 'name' | 'partnerId'>): Operator {
  return { subject: session.subject, name: session.name, actor: actorOf(session) }
}
