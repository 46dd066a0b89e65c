/** Shows a user's sessions, and ends them. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { isPermitted } from '../access/console-role.ts'
import {
  type ConsoleSession,
  SESSION_HOURS,
  SESSION_IDLE_MINUTES,
  sessionLimitsAt,
  userIdOf,
} from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import { buttonForm } from '../markup/action-form.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { actionColumn, type Columns, dataTable } from '../markup/data-table.ts'
import { formatTime, wallTimeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { beginCommandLineSession } from './begin-session.ts'
import { deleteSessions, listSessions } from './console-session-store.ts'
import { endOwnSessions } from './end-sessions.ts'

const SESSIONS_PATH = '/console/sessions'

export function sessionRoutes(context: Context): readonly ConsoleRoute[] {
  const change = post('session', { needsRecentSignIn: true })
  const createToken = post('operations.read', { needsRecentSignIn: true })
  return [
    get('session')(SESSIONS_PATH, async ({ viewer }) => {
      const sessions = await listSessions(context.database, viewer.session, sessionLimitsAt(context.clock.real()))
      return { kind: 'page', title: consoleText('sessions.title'), body: sessionsBody(viewer, sessions) }
    }),
    change(`${SESSIONS_PATH}/:sessionId/end`, async ({ viewer, params: { sessionId: id = '' } }) => {
      if (!isId(id) || (await endOwnSessions(context, viewer.session, { id })) === 0) {
        throw apiError('not-found', 'There is no session with this id')
      }
      return { kind: 'redirect', to: SESSIONS_PATH }
    }),
    change(`${SESSIONS_PATH}/end-others`, async ({ viewer }) => {
      await endOwnSessions(context, viewer.session, { butId: viewer.session.id })
      return { kind: 'redirect', to: SESSIONS_PATH }
    }),
    createToken(`${SESSIONS_PATH}/command-line`, async ({ viewer: { session } }) => {
      const token = await beginCommandLineSession(context, session)
      return { kind: 'page', title: consoleText('sessions.commandLine'), body: tokenMarkup(token) }
    }),
    post('session', { endsSession: true })('/console/sign-out', async ({ viewer }) => {
      await deleteSessions(context.database, viewer.session, viewer.session)
      return { kind: 'redirect', to: '/console/sign-in' }
    }),
  ]
}

function sessionsBody({ session: current, token }: Viewer, sessions: readonly ConsoleSession[]): string {
  const limits = { idleMinutes: SESSION_IDLE_MINUTES, hours: SESSION_HOURS }
  const columns: Columns<ConsoleSession> = {
    'sessions.started': ({ createdAt }) => wallTimeMarkup(createdAt),
    'sessions.lastUsed': ({ lastUsedAt }) => wallTimeMarkup(lastUsedAt),
    'sessions.browser': ({ userAgent }) =>
      html`${userAgent === '' ? consoleText('sessions.unknownBrowser') : browserName(userAgent)}`,
    'sessions.action': actionColumn((session) => actionOn(session, current.id, token)),
  }
  const passkeys =
    userIdOf(current) === undefined ? '' : html`<p><a href="/console/passkeys">${consoleText('passkeys.own')}</a></p>`
  return html`<p>${consoleText('sessions.explain', limits)}</p>
!${passkeys}
!${dataTable(sessions, columns, '')}
!${isPermitted(current.roles, 'operations.read') ? commandLineForm(token) : ''}
!${sessions.length > 1 ? buttonForm({ path: `${SESSIONS_PATH}/end-others`, token, label: consoleText('sessions.endOthers'), isBlock: true }) : ''}`
}

function commandLineForm(token: string): string {
  return html`<h2>${consoleText('sessions.commandLine')}</h2>
<p>${consoleText('sessions.commandLineExplain')}</p>
!${buttonForm({ path: `${SESSIONS_PATH}/command-line`, token, label: consoleText('sessions.commandLineCreate'), isBlock: true })}`
}

/** The token is shown on this page only. */
function tokenMarkup(token: string): string {
  return html`<p>${consoleText('sessions.commandLineToken')}</p><p>!${copyableCode(`export HAVN_OPERATOR_TOKEN=${token}`, 'HAVN_OPERATOR_TOKEN')}</p>
<p class="actions"><a class="button second" href="${SESSIONS_PATH}">${consoleText('sessions.title')}</a></p>`
}

function actionOn({ id, createdAt }: ConsoleSession, currentId: string, token: string): string {
  const description = consoleText('sessions.endOf', { time: formatTime(createdAt) })
  return id === currentId
    ? html`<strong>${consoleText('sessions.current')}</strong>`
    : buttonForm({ path: `${SESSIONS_PATH}/${id}/end`, token, label: consoleText('sessions.end'), description })
}

/** In this order: a browser names those that it is compatible with, too. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Version: 'Safari' } as const
const SYSTEMS = {
  Android: 'Android',
  iPhone: 'iOS',
  iPad: 'iPadOS',
  'Mac OS X': 'macOS',
  Windows: 'Windows',
  Linux: 'Linux',
}

/** `Chrome 140, macOS`; the header as it is where it names no browser that we know. */
export function browserName(userAgent: string): string {
  const browser = Object.entries(BROWSERS).flatMap(([token, name]) => {
    const [, version] = new RegExp(`${token}/(\\d+)`).exec(userAgent) ?? []
    return version === undefined ? [] : [`${name} ${version}`]
  })[0]
  const system = Object.entries(SYSTEMS).find(([token]) => userAgent.includes(token))?.[1]
  return browser === undefined ? userAgent : [browser, ...(system === undefined ? [] : [system])].join(', ')
}
