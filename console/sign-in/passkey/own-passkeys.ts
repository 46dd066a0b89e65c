/** Lets a user who signs in with passkeys list, add and remove their own. */

import { html } from 'ghtml'
import type { Context } from '../../../gateway/context.ts'
import type { AuditAction } from '../../../gateway/operators/audit-actions.ts'
import { NO_PARTNER, writeAuditEntry } from '../../../gateway/operators/audit-log.ts'
import { inTransaction } from '../../../gateway/platform/database/in-transaction.ts'
import { apiError } from '../../../gateway/platform/http/errors/api-error.ts'
import { actorOf, isSignInRecent, sessionLimitsAt, userIdOf } from '../../access/console-session.ts'
import type { Viewer } from '../../access/viewer.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../../console-route.ts'
import type { ConsoleAnswer } from '../../layout/console-page.ts'
import { rejectedPage } from '../../layout/error-pages.ts'
import { buttonForm } from '../../markup/action-form.ts'
import { actionColumn, type Columns, dataTable } from '../../markup/data-table.ts'
import { formatTime, wallTimeMarkup } from '../../markup/format-time.ts'
import { listSessions } from '../../sessions/console-session-store.ts'
import { consoleText } from '../../texts/console-texts.ts'
import { deletePasskey, findPasskey, insertPasskey, listPasskeys, type Passkey } from '../../users/passkey-store.ts'
import type { UserAccount } from '../../users/user-account.ts'
import { findActiveUser, lockActiveUser } from '../../users/user-store.ts'
import { signInPathFor } from '../sign-in-target.ts'
import { storeChallenge, useChallenge } from './passkey-challenge.ts'
import { PASSKEY_SCRIPT_PATH, passkeyForm, passkeyProblemPage } from './passkey-pages.ts'
import { registrationOptions, verifyRegistration } from './verify-passkey.ts'

const PATH = '/console/passkeys'
const CHANGED = 'changed'
const CHANGED_PATH = `${PATH}?${CHANGED}`

export function ownPasskeyRoutes(context: Context): readonly ConsoleRoute[] {
  const change = post('session', { needsRecentSignIn: true })
  return [
    get('session')(PATH, (request) => showPasskeys(context, request)),
    change(`${PATH}/add`, (request) => addPasskey(context, request)),
    change(`${PATH}/:passkeyId/remove`, async ({ viewer, params: { passkeyId: credentialId = '' } }) => {
      const userId = userIdOf(viewer.session)
      if (credentialId === viewer.session.passkeyId) {
        return rejectedPage(409, consoleText('passkeys.inUseRejected'))
      }
      await inTransaction(context, async (context) => {
        // Two sessions that remove each other's passkey would leave none.
        const user = userId && (await lockActiveUser(context.database, userId))
        if (!user || !(await deletePasskey(context.database, { userId: user.id, credentialId }))) {
          throw apiError('not-found', 'There is no passkey with this id that can be removed')
        }
        await recordChange(context, viewer, 'passkey removed')
      })
      return { kind: 'redirect', to: CHANGED_PATH }
    }),
  ]
}

async function showPasskeys(context: Context, { viewer, query }: ConsoleRequest): Promise<ConsoleAnswer> {
  const title = consoleText('passkeys.own')
  const user = await findUser(context, viewer)
  if (user === undefined) {
    return { kind: 'page', title, body: html`<p>${consoleText('passkeys.ownNone')}</p>` }
  }
  const { token } = viewer
  const passkeys = await listPasskeys(context.database, user.id)
  // The challenge of the form belongs to this session: it cannot be answered after another sign-in.
  if (!isSignInRecent(viewer.session, context.clock.real())) {
    const body = html`<p>${consoleText('passkeys.ownRecent')}</p>
<p class="actions"><a class="button" href="${signInPathFor(PATH)}">${consoleText('signIn.title')}</a></p>`
    return { kind: 'page', title, body }
  }
  const options = await registrationOptions(context, user, passkeys)
  await storeChallenge(context, options, { token, purpose: 'add' })
  const columns: Columns<Passkey> = {
    'passkeys.created': ({ createdAt }) => wallTimeMarkup(createdAt),
    'passkeys.lastUsed': ({ lastUsedAt: at }) =>
      at === null ? html`${consoleText('passkeys.neverUsed')}` : wallTimeMarkup(at),
    'passkeys.action': actionColumn((passkey) => actionOn(passkey, { viewer, isOnly: passkeys.length === 1 })),
  }
  const form = { ...options, token, path: `${PATH}/add`, use: 'create', label: consoleText('passkeys.add') } as const
  const body = html`!${query.has(CHANGED) ? await otherSessionsNotice(context, viewer) : ''}
<p>${consoleText('passkeys.ownExplain')}</p>
!${dataTable(passkeys, columns, '')}
!${passkeyForm(form)}`
  return { kind: 'page', title, body, scripts: [PASSKEY_SCRIPT_PATH] }
}

/** A user who changed a passkey may have lost a device, on which a session goes on. */
async function otherSessionsNotice({ database, clock }: Context, { session }: Viewer): Promise<string> {
  const sessions = await listSessions(database, session, sessionLimitsAt(clock.real()))
  return sessions.length === 1
    ? ''
    : html`<p class="notice" role="status">${consoleText('passkeys.ownChanged')} <a href="/console/sessions">${consoleText('sessions.title')}</a></p>`
}

function actionOn(
  { credentialId, createdAt }: Passkey,
  { viewer: { token, session }, isOnly }: { readonly viewer: Viewer; readonly isOnly: boolean },
): string {
  if (isOnly || credentialId === session.passkeyId) {
    return html`${consoleText(isOnly ? 'passkeys.only' : 'passkeys.inUse')}`
  }
  const description = consoleText('passkeys.removeOf', { time: formatTime(createdAt) })
  return buttonForm({
    path: `${PATH}/${credentialId}/remove`,
    token,
    label: consoleText('passkeys.remove'),
    description,
  })
}

async function addPasskey(context: Context, { viewer, form }: ConsoleRequest): Promise<ConsoleAnswer> {
  const user = await findUser(context, viewer)
  const answered = await useChallenge(context, form, { token: viewer.token, purpose: 'add' })
  const passkey = answered && (await verifyRegistration(context, answered))
  if (user === undefined || passkey === undefined) {
    return passkeyProblemPage('notProven')
  }
  const added = { ...passkey, userId: user.id, createdAt: context.clock.real(), lastUsedAt: null }
  const isAdded = await inTransaction(context, async (context) => {
    const isActive = (await lockActiveUser(context.database, user.id)) !== undefined
    // The passkey of the session may have been removed, or replaced by an invitation, since the session was found.
    const isProven = (await findPasskey(context.database, viewer.session.passkeyId ?? '')) !== undefined
    if (!isActive || !isProven || !(await insertPasskey(context.database, added))) {
      return false
    }
    await recordChange(context, viewer, 'passkey created')
    return true
  })
  return isAdded ? { kind: 'redirect', to: CHANGED_PATH } : passkeyProblemPage('notProven')
}

async function findUser({ database }: Context, { session }: Viewer): Promise<UserAccount | undefined> {
  const userId = userIdOf(session)
  return userId === undefined ? undefined : await findActiveUser(database, userId)
}

async function recordChange(context: Context, { session }: Viewer, action: AuditAction): Promise<void> {
  await writeAuditEntry(context, {
    partnerId: session.partnerId ?? NO_PARTNER,
    actor: actorOf(session),
    action,
    subject: ['console user', userIdOf(session) ?? ''],
  })
}
