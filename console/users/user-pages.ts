/** Renders the list of users, the form that invites one, and the link of an invitation. */

import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import { CONSOLE_ROLES, type ConsoleRole } from '../../gateway/config/console-roles.ts'
import type { Context } from '../../gateway/context.ts'
import type { Partner } from '../../gateway/partners/partner.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { userIdOf } from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { buttonForm } from '../markup/action-form.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { actionColumn, type Columns, dataTable } from '../markup/data-table.ts'
import { ALL_SESSIONS_PATH } from '../sessions/all-sessions-page.ts'
import { consoleText } from '../texts/console-texts.ts'
import { INVITATION_HOURS, type InvitationError, type InvitedUser, type UserAccount } from './user-account.ts'
import { listUsers } from './user-store.ts'

export const USERS_PATH = '/console/users'
/** The name of the checkbox of a role. */
export const ROLE_FIELD = (role: ConsoleRole) => `role-${role}`

/** An invitation that cannot be made, and what is wrong with it. */
type RejectedInvitation = { readonly invited: InvitedUser; readonly error: InvitationError }

export async function usersPage(
  context: Context,
  { token, session }: Viewer,
  rejected?: RejectedInvitation,
): Promise<ConsolePage> {
  const { consoleProvider } = context.config
  const title = consoleText('users.title')
  const sessions = html`<p><a href="${ALL_SESSIONS_PATH}">${consoleText('sessions.allTitle')}</a></p>`
  if (consoleProvider !== null) {
    const { host } = new URL(consoleProvider.issuer)
    return { kind: 'page', title, body: html`<p>${consoleText('users.atProvider', { host })}</p>!${sessions}` }
  }
  const partners = (await listPartnersWithClients(context)).map(({ partner }) => partner)
  const names = new Map(partners.map(({ id, name }) => [id, name]))
  const columns: Columns<UserAccount> = {
    'users.name': ({ name }) => breakableText(name),
    'users.rolesOf': ({ roles }) => html`${roles.map((role) => consoleText(`roles.${role}`)).join(', ')}`,
    'users.partner': ({ partnerId }) => html`${names.get(partnerId ?? '') ?? ''}`,
    'users.state': ({ disabledAt }) => html`${consoleText(disabledAt === null ? 'users.active' : 'users.disabled')}`,
    // Only another administrator ends the sessions of the user who sees the page.
    'users.action': actionColumn((user) =>
      user.id === userIdOf(session) ? html`${consoleText('users.yourself')}` : actionsOn(user, token),
    ),
  }
  const body = html`<p>${consoleText('users.explain', { hours: INVITATION_HOURS })}</p>
!${dataTable(await listUsers(context.database), columns, consoleText('users.empty'))}
!${sessions}
<h2>${consoleText('users.invite')}</h2>
!${invitationForm(partners, token, rejected)}`
  return { kind: 'page', status: rejected === undefined ? 200 : 422, title, body }
}

export function linkPage({ name }: UserAccount, link: string): ConsolePage {
  const body = html`<p>${consoleText('users.linkExplain', { name })}</p>
<p>!${copyableCode(link, consoleText('users.linkName'))}</p>
<p class="actions"><a class="button second" href="${USERS_PATH}">${consoleText('users.back')}</a></p>`
  return { kind: 'page', title: consoleText('users.linkTitle', { name }), body }
}

function actionsOn({ id, name, disabledAt }: UserAccount, token: string): string {
  const button = (action: 'invite' | 'disable', label: string, description: string) =>
    buttonForm({ path: `${USERS_PATH}/${id}/${action}`, token, label, description })
  const actions = [
    button('invite', consoleText('users.inviteAgain'), consoleText('users.inviteAgainOf', { name })),
    button('disable', consoleText('users.disable'), consoleText('users.disableOf', { name })),
  ]
  return disabledAt === null ? html`<div class="buttons">!${actions.join('')}</div>` : ''
}

function invitationForm(partners: readonly Partner[], token: string, rejected: RejectedInvitation | undefined): string {
  const { name = '', partnerId = null, roles = [] } = rejected?.invited ?? {}
  const boxes = CONSOLE_ROLES.map(
    (role) =>
      html`<label class="choice"><input type="checkbox" name="${ROLE_FIELD(role)}" value="yes" ${roles.includes(role) ? 'checked' : ''}> ${consoleText(`roles.${role}`)}</label>`,
  )
  const options = partners.map(
    ({ id, name: partner }) => html`<option value="${id}" ${id === partnerId ? 'selected' : ''}>${partner}</option>`,
  )
  return html`<form class="form" method="post" action="${USERS_PATH}/invite">
!${tokenField(token)}
!${rejected === undefined ? '' : html`<p class="error" role="alert">${consoleText(`users.errors.${rejected.error}`)}</p>`}
<div class="field"><label for="user-name">${consoleText('users.name')}</label><input id="user-name" name="name" value="${name}" autocomplete="off" required></div>
<fieldset><legend>${consoleText('users.rolesOf')}</legend>!${boxes.join('')}</fieldset>
<div class="field"><label for="user-partner">${consoleText('users.partner')}</label><select id="user-partner" name="partner" autocomplete="off"><option value="">${consoleText('users.noPartner')}</option>!${options.join('')}</select></div>
<p class="actions"><button>${consoleText('users.send')}</button></p>
</form>`
}
