/** Defines the users of the console who sign in with passkeys, and which roles a user may combine. */
import { type ConsoleRole, isOfPartner } from '../../gateway/config/console-roles.ts'
import { type ConsoleUser, subjectOf } from '../access/console-session.ts'

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
/** The user as sessions know them, who has proven by a passkey who they are. */
export function consoleUserOf({ id, name, partnerId, roles }: UserAccount, passkeyId: string): ConsoleUser {
  return { subject: subjectOf(id), name, partnerId, roles, passkeyId }
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
