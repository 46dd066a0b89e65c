/** Defines the users of the console who sign in with passkeys, and which roles a user may combine. */
import { type ConsoleRole, isOfPartner } from '../../gateway/config/console-roles.ts'
import type { ConsoleUser } from '../sessions/console-session.ts'

/** A user who was invited. All times are wall time. */
export type UserAccount = {
  readonly id: string
  readonly name: string
  /** Null for operators. */
  readonly partnerId: string | null
  readonly roles: readonly ConsoleRole[]
  readonly createdAt: Temporal.Instant
  readonly disabledAt: Temporal.Instant | null
}

/** What an invitation says of a user. */
export type InvitedUser = Pick<UserAccount, 'name' | 'partnerId' | 'roles'>

export const NAME_CHARACTERS_MAX = 100
/** An invitation is void after this long. */
export const INVITATION_HOURS = 24
/** Begins the subject of a user who signs in with passkeys, and of no other. */
export const SUBJECT_PREFIX = 'user '

/** The user as sessions know them, who has proven by a passkey who they are. */
export function consoleUserOf({ id, name, partnerId, roles }: UserAccount, passkeyId: string): ConsoleUser {
  return { subject: subjectOf(id), name, partnerId, roles, passkeyId }
}

/** By which the sessions of a user are found. */
export function subjectOf(userId: string): string {
  return `${SUBJECT_PREFIX}${userId}`
}

/** The user of a session; undefined for one who signed in without a passkey. */
export function userIdOf({ subject }: Pick<ConsoleUser, 'subject'>): string | undefined {
  return subject.startsWith(SUBJECT_PREFIX) ? subject.slice(SUBJECT_PREFIX.length) : undefined
}

/** Why a user cannot be invited. */
export type InvitationError = 'name-missing' | 'name-in-use' | 'roles-missing' | 'roles-mixed' | 'partner-missing'

/** Operators have one role, which includes the lower ones; partners' users combine theirs, at one partner. */
export function invitationErrorOf({ name, partnerId, roles }: InvitedUser): InvitationError | undefined {
  const ofPartner = roles.filter(isOfPartner).length
  if (name === '' || name.length > NAME_CHARACTERS_MAX) {
    return 'name-missing'
  }
  if (roles.length === 0) {
    return 'roles-missing'
  }
  if (ofPartner !== roles.length && roles.length > 1) {
    return 'roles-mixed'
  }
  return ofPartner > 0 === (partnerId !== null) ? undefined : 'partner-missing'
}
