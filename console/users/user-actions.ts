/** Shows users, and invites one. */

import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import { CONSOLE_ROLES } from '../../gateway/config/console-roles.ts'
import type { Context } from '../../gateway/context.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { actorOf, userIdOf } from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { invitationLink, inviteUser } from './invite-user.ts'
import type { InvitedUser } from './user-account.ts'
import { linkPage, ROLE_FIELD, usersPage } from './user-pages.ts'
import { listUsers } from './user-store.ts'

/** Also with an invitation that cannot be made, and what is wrong with it. */
export async function showUsers(
  context: Context,
  { token, session }: Viewer,
  rejected?: Parameters<typeof usersPage>[0]['rejected'],
): Promise<ConsoleAnswer> {
  const partners = (await listPartnersWithClients(context)).map(({ partner }) => partner)
  const { consoleProvider } = context.config
  return usersPage({
    users: await listUsers(context.database),
    partners,
    provider: consoleProvider,
    token,
    ownId: userIdOf(session),
    rejected,
  })
}

export async function invite(context: Context, { viewer, form }: ConsoleRequest): Promise<ConsoleAnswer> {
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
