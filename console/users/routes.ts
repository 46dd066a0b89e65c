/** Lets administrators invite and disable the users who sign in with passkeys. */

import { CONSOLE_ROLES } from '../../gateway/config/console-roles.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { actorOf, userIdOf } from '../access/console-session.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { rejectedPage } from '../layout/error-pages.ts'
import { consoleText } from '../texts/console-texts.ts'
import { disableUser, invitationLink, inviteAgain, inviteUser } from './invite-user.ts'
import type { InvitedUser } from './user-account.ts'
import { linkPage, ROLE_FIELD, USERS_PATH, usersPage } from './user-pages.ts'

export function userRoutes(context: Context): readonly ConsoleRoute[] {
  const change = post('administrate', { needsRecentSignIn: true })
  /** Users do not change themselves: only another administrator does. */
  const ofOther =
    (perform: (actor: string, userId: string) => Promise<ConsoleAnswer | undefined>): ConsoleRoute['handle'] =>
    async ({ viewer: { session }, params: { userId = '' } }) => {
      if (userId === userIdOf(session)) {
        return rejectedPage(409, consoleText('users.ownRejected'))
      }
      const answer = isId(userId) ? await perform(actorOf(session), userId) : undefined
      if (answer === undefined) {
        throw apiError('not-found', 'There is no active user with this id')
      }
      return answer
    }
  return [
    get('administrate')(USERS_PATH, ({ viewer }) => usersPage(context, viewer)),
    change(`${USERS_PATH}/invite`, (request) => invite(context, request)),
    change(
      `${USERS_PATH}/:userId/invite`,
      ofOther(async (actor, userId) => {
        const invited = await inviteAgain(context, actor, userId)
        return invited && linkPage(invited.user, invitationLink(context.config, invited))
      }),
    ),
    change(
      `${USERS_PATH}/:userId/disable`,
      ofOther(async (actor, userId) =>
        (await disableUser(context, actor, userId)) ? { kind: 'redirect', to: USERS_PATH } : undefined,
      ),
    ),
  ]
}

async function invite(context: Context, { viewer, form }: ConsoleRequest): Promise<ConsoleAnswer> {
  const partner = form.text('partner')
  const invited: InvitedUser = {
    name: form.text('name'),
    partnerId: isId(partner) ? partner : null,
    roles: CONSOLE_ROLES.filter((role) => form.text(ROLE_FIELD(role)) !== ''),
  }
  const invitation = await inviteUser(context, actorOf(viewer.session), invited)
  return typeof invitation === 'string'
    ? await usersPage(context, viewer, { invited, error: invitation })
    : linkPage(invitation.user, invitationLink(context.config, invitation))
}
