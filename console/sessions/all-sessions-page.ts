/** Shows administrators the sessions of all users, and ends them. */

import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { actorOf, type ConsoleSession } from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { buttonForm } from '../markup/action-form.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { actionColumn, type Columns, dataTable } from '../markup/data-table.ts'
import { formatTime, wallTimeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { endSession, listOpenSessions } from './end-sessions.ts'
import { browserName } from './session-pages.ts'

export const ALL_SESSIONS_PATH = '/console/users/sessions'

export function allSessionRoutes(context: Context): readonly ConsoleRoute[] {
  const change = post('administrate', { needsRecentSignIn: true })
  const end = (path: string, ofUser: boolean) =>
    change(`${ALL_SESSIONS_PATH}/:sessionId/${path}`, async ({ viewer, params: { sessionId = '' } }) => {
      if (!isId(sessionId) || !(await endSession(context, actorOf(viewer.session), sessionId, { ofUser }))) {
        throw apiError('not-found', 'There is no open session with this id')
      }
      return { kind: 'redirect', to: ALL_SESSIONS_PATH }
    })
  return [
    get('administrate')(ALL_SESSIONS_PATH, (request) => allSessionsPage(context, request)),
    end('end', false),
    end('end-all', true),
  ]
}

async function allSessionsPage(context: Context, { viewer }: ConsoleRequest): Promise<ConsolePage> {
  const partners = await listPartnersWithClients(context)
  const names = new Map(partners.map(({ partner }) => [partner.id, partner.name]))
  const columns: Columns<ConsoleSession> = {
    'users.name': ({ name, subject }) => html`!${breakableText(name)}<br>!${idMarkup(subject)}`,
    'users.rolesOf': ({ roles, partnerId }) => {
      const partnerName = names.get(partnerId ?? '') ?? ''
      return html`${roles.map((role) => consoleText(`roles.${role}`)).join(', ')}!${partnerName === '' ? '' : html`<br>${partnerName}`}`
    },
    'sessions.started': ({ createdAt }) => wallTimeMarkup(createdAt),
    'sessions.lastUsed': ({ lastUsedAt }) => wallTimeMarkup(lastUsedAt),
    'sessions.browser': ({ userAgent }) => html`${browserName(userAgent)}`,
    'sessions.action': actionColumn((session) => actionsOn(session, viewer)),
  }
  const body = dataTable(await listOpenSessions(context), columns, '')
  return { kind: 'page', title: consoleText('sessions.allTitle'), body }
}

function actionsOn({ id, name, subject, createdAt }: ConsoleSession, viewer: Viewer): string {
  if (id === viewer.session.id) {
    return html`<strong>${consoleText('sessions.current')}</strong>`
  }
  const button = (path: string, label: string, description: string) =>
    buttonForm({ path: `${ALL_SESSIONS_PATH}/${id}/${path}`, token: viewer.token, label, description })
  const time = formatTime(createdAt)
  // All sessions of the user who is looking would include the current one.
  const isOwn = subject === viewer.session.subject
  const actions = [
    button('end', consoleText('sessions.end'), consoleText('sessions.endOfUser', { name, time })),
    isOwn ? '' : button('end-all', consoleText('sessions.endAll'), consoleText('sessions.endAllOf', { name, time })),
  ]
  return html`<div class="buttons">!${actions.join('')}</div>`
}
