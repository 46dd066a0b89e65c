/** Shows the link that the user of an authorisation must open, to those who may act. */
import { html } from 'ghtml'
import { findLatestScaSession } from '../../gateway/authorisations/find-sca-sessions.ts'
import { scaLinkOf } from '../../gateway/authorisations/get-qr-code.ts'
import type { Context } from '../../gateway/context.ts'
import { type ConsolePermission, isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import { formatTime } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Nothing once the outcome is decided. A link works in the first browser that opens it, and in no other one. */
export async function scaLinkMarkup(
  context: Context,
  { session: { roles } }: Viewer,
  subject: { readonly partnerId: string; readonly kind: 'approval' | 'cancellation'; readonly subjectId: string },
  permission: ConsolePermission = 'payments.act',
): Promise<string> {
  const session = await findLatestScaSession(context, subject)
  if (session === undefined || session.outcome !== null || !isPermitted(roles, permission)) {
    return ''
  }
  const url = scaLinkOf(context, session).sca?.url
  return url === undefined
    ? ''
    : html`<h2>${consoleText('scaLink.title')}</h2>
<p>${consoleText('scaLink.explain', { time: formatTime(session.expiresAt) })}</p>
<p class="link">${url}</p>`
}
