/** Lets administrators invite and disable the users who sign in with passkeys. */

import type { Context } from '../../gateway/context.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { actorOf, userIdOf } from '../access/console-session.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { rejectedPage } from '../layout/error-pages.ts'
import { consoleText } from '../texts/console-texts.ts'
import { disableUser, invitationLink, inviteAgain } from './invite-user.ts'
import { invite, noUser, showUsers } from './user-actions.ts'
import { linkPage, USERS_PATH } from './user-pages.ts'

export function userRoutes(context: Context): readonly ConsoleRoute[] {
  const permission = 'administrate'
  return [
    {
      method: 'GET',
      path: USERS_PATH,
      permission,
      handle: async ({ viewer }) => await showUsers(context, viewer),
    },
    {
      method: 'POST',
      path: `${USERS_PATH}/invite`,
      permission,
      needsRecentSignIn: true,
      handle: (request) => invite(context, request),
    },
    {
      method: 'POST',
      path: `${USERS_PATH}/:userId/invite`,
      permission,
      needsRecentSignIn: true,
      handle: async ({ viewer, params: { userId = '' } }) => {
        if (userId === userIdOf(viewer.session)) {
          return rejectedPage(409, consoleText('users.ownRejected'))
        }
        const invited = isId(userId) ? await inviteAgain(context, actorOf(viewer.session), userId) : undefined
        return linkPage(invited?.user ?? noUser(), invitationLink(context.config, invited ?? noUser()))
      },
    },
    {
      method: 'POST',
      path: `${USERS_PATH}/:userId/disable`,
      permission,
      needsRecentSignIn: true,
      handle: async ({ viewer, params: { userId = '' } }) => {
        if (userId === userIdOf(viewer.session)) {
          return rejectedPage(409, consoleText('users.ownRejected'))
        }
        if (!isId(userId) || !(await disableUser(context, actorOf(viewer.session), userId))) {
          noUser()
        }
        return { kind: 'redirect', to: USERS_PATH }
      },
    },
  ]
}
