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
import { type Columns, dataTable } from '../markup/data-table.ts'
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
  const columns: Columns = [
    'users.name',
    'users.rolesOf',
    'sessions.started',
    'sessions.lastUsed',
    'sessions.browser',
    { label: 'sessions.action', kind: 'action' },
  ]
  const sessions = await listOpenSessions(context)
  const rows = sessions.map((session) => rowOf(session, names.get(session.partnerId ?? '') ?? '', viewer))
  return { kind: 'page', title: consoleText('sessions.allTitle'), body: dataTable(columns, rows, '') }
}

function rowOf(session: ConsoleSession, partnerName: string, viewer: Viewer): readonly string[] {
  const { id, name, subject, roles, createdAt, lastUsedAt, userAgent } = session
  const button = (path: string, label: string, description: string) =>
    buttonForm({ path: `${ALL_SESSIONS_PATH}/${id}/${path}`, token: viewer.token, label, description })
  const time = formatTime(createdAt)
  // All sessions of the user who is looking would include the current one.
  const isOwn = subject === viewer.session.subject
  const actions = [
    button('end', consoleText('sessions.end'), consoleText('sessions.endOfUser', { name, time })),
    isOwn ? '' : button('end-all', consoleText('sessions.endAll'), consoleText('sessions.endAllOf', { name, time })),
  ]
  return [
    html`!${breakableText(name)}<br>!${idMarkup(subject)}`,
    html`${roles.map((role) => consoleText(`roles.${role}`)).join(', ')}!${partnerName === '' ? '' : html`<br>${partnerName}`}`,
    wallTimeMarkup(createdAt),
    wallTimeMarkup(lastUsedAt),
    html`${browserName(userAgent)}`,
    id === viewer.session.id
      ? html`<strong>${consoleText('sessions.current')}</strong>`
      : html`<div class="buttons">!${actions.join('')}</div>`,
  ]
}
