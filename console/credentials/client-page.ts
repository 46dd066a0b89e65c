/** Shows one set of credentials: its secrets, and the forms that rotate, revoke and disable them. */

import { html } from 'ghtml'
import { findNamedClient, type NamedClient } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import { OVERLAP_DAYS_DEFAULT } from '../../gateway/partners/partner.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { hasRights, rightsOfClient } from '../access/conferred-rights.ts'
import { partnerFilterOf } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { actionForm, buttonForm } from '../markup/action-form.ts'
import { auditHistory } from '../markup/audit-history.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { doneMarkup } from '../markup/notice.ts'
import { enabledMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { CREDENTIALS_PATH } from './credentials-page.ts'

/** The days of overlap that the form offers. */
export const OVERLAPS = [0, 1, OVERLAP_DAYS_DEFAULT, 30] as const

/** Throws `not-found` for an unknown client and for one of a foreign partner, which look the same. */
export async function requireVisibleClient(
  context: Context,
  { viewer, params: { clientId = '' } }: ConsoleRequest,
): Promise<NamedClient> {
  const client = await findNamedClient(context, partnerFilterOf(viewer), clientId)
  if (client === undefined) {
    throw apiError('not-found', 'There are no credentials with this id')
  }
  return client
}

/** `notice` is markup above the page: what an action has done. */
export async function clientPage(context: Context, request: ConsoleRequest, notice = ''): Promise<ConsolePage> {
  const client = await requireVisibleClient(context, request)
  const { formerSecretEndsAt } = client
  const hasFormer =
    formerSecretEndsAt !== null && Temporal.Instant.compare(context.clock.real(), formerSecretEndsAt) < 0
  const mayAct = hasRights(request.viewer, rightsOfClient(client)) && client.disabledAt === null
  const body = html`!${notice === '' ? '' : doneMarkup(notice)}
!${factsOf(client, hasFormer)}
!${mayAct ? formsOf(client, hasFormer, request.viewer.token) : ''}
!${auditHistory(await listAuditLog(context, client.partnerId, client.clientId))}`
  return { kind: 'page', title: consoleText('client.title'), body }
}

/** The secret is shown on this page only: it is neither stored nor in any URL. */
export function secretMarkup({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  return html`<p>${consoleText('client.secret')}</p>
<dl><div><dt>client_id</dt><dd>!${copyableCode(clientId, 'client_id')}</dd></div><div><dt>client_secret</dt><dd>!${copyableCode(clientSecret, 'client_secret')}</dd></div></dl>`
}

function factsOf(client: NamedClient, hasFormer: boolean): string {
  const { clientId, payroll, createdAt, secretRotatedAt, formerSecretEndsAt, disabledAt, partnerName } = client
  return factList({
    'credentials.clientId': copyableCode(clientId, consoleText('credentials.clientId')),
    'credentials.state': enabledMarkup(client),
    'credentials.payroll': html`${consoleText(payroll ? 'credentials.permitted' : 'credentials.notPermitted')}`,
    'credentials.created': wallTimeMarkup(createdAt),
    'credentials.rotated': secretRotatedAt && wallTimeMarkup(secretRotatedAt),
    'client.formerEnds': hasFormer && formerSecretEndsAt ? wallTimeMarkup(formerSecretEndsAt) : undefined,
    'client.disabledAt': disabledAt && wallTimeMarkup(disabledAt),
    'credentials.partner': html`${partnerName}`,
  })
}

function formsOf({ clientId }: NamedClient, hasFormer: boolean, token: string): string {
  const path = `${CREDENTIALS_PATH}/${encodeURIComponent(clientId)}`
  const choices = OVERLAPS.map((days) => ({ value: String(days), label: consoleText(`client.overlaps.${days}`) }))
  const label = consoleText('client.overlap')
  const overlap = { name: 'overlapDays', label, choices, value: String(OVERLAP_DAYS_DEFAULT) }
  const rotate = html`<h2>${consoleText('client.rotate')}</h2>
<p>${consoleText('client.rotateExplain')}</p>
!${actionForm({ path: `${path}/rotate`, button: consoleText('client.rotate'), fields: [overlap], token, isRow: true })}`
  const revoke = html`<h2>${consoleText('client.revokeFormer')}</h2>
<p>${consoleText('client.revokeExplain')}</p>
!${buttonForm({ path: `${path}/revoke-former`, token, label: consoleText('client.revokeFormer'), isPrimary: true, isBlock: true })}`
  return html`!${hasFormer ? revoke : rotate}
<h2>${consoleText('client.disable')}</h2>
<p>${consoleText('client.disableExplain')}</p>
!${buttonForm({ path: `${path}/disable`, token, label: consoleText('client.disable'), isBlock: true })}`
}
