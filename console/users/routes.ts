/** Lets administrators invite and disable the users who sign in with passkeys. */

import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import { CONSOLE_ROLES } from '../../gateway/config/console-roles.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { actorOf, userIdOf } from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { rejectedPage } from '../layout/error-pages.ts'
import { consoleText } from '../texts/console-texts.ts'
import { disableUser, invitationLink, inviteAgain, inviteUser } from './invite-user.ts'
import { listUserAccounts } from './list-users.ts'
import type { InvitedUser } from './user-account.ts'
import { linkPage, ROLE_FIELD, USERS_PATH, usersPage } from './user-pages.ts'

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

/** Also with an invitation that cannot be made, and what is wrong with it. */
async function showUsers(
  context: Context,
  { token, session }: Viewer,
  rejected?: Parameters<typeof usersPage>[0]['rejected'],
): Promise<ConsoleAnswer> {
  const partners = (await listPartnersWithClients(context)).map(({ partner }) => partner)
  const { consoleProvider } = context.config
  return usersPage({
    users: await listUserAccounts(context),
    partners,
    provider: consoleProvider,
    token,
    ownId: userIdOf(session),
    rejected,
  })
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
    ? await showUsers(context, viewer, { invited, error: invitation })
    : linkPage(invitation.user, invitationLink(context.config, invitation))
}

function noUser(): never {
  throw apiError('not-found', 'There is no active user with this id')
}
