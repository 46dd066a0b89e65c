/** Creates credentials, and rotates their secret. */
import { html } from 'ghtml'
import { createClient } from '../../gateway/auth/create-partner.ts'
import { rotateClientSecret } from '../../gateway/auth/rotate-client-secret.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { findPartnerOfForm } from '../lists/partner-field.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { clientPage, OVERLAPS, secretMarkup } from './client-page.ts'
import { credentialsPage } from './credentials-page.ts'

/** The credentials belong to the user's partner; an operator chooses one. */
export async function create(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const partner = await findPartnerOfForm(context, request)
  if (partner === undefined || partner.disabledAt !== null) {
    return await credentialsPage(context, request, consoleText('credentials.noPartner'))
  }
  const created = await createClient(context, actorOf(request.viewer.session), partner)
  return await clientPage(context, { ...request, params: { clientId: created.clientId } }, secretMarkup(created))
}

export async function rotate(
  context: Context,
  { form }: ConsoleRequest,
  { actor, clientId }: { readonly actor: string; readonly clientId: string },
): Promise<string> {
  const overlap = OVERLAPS.find((days) => String(days) === form.text('overlapDays'))
  if (overlap === undefined) {
    throw apiError('bad-request', consoleText('client.noOverlap'))
  }
  const { formerEndsAt, ...rotated } = await rotateClientSecret(context, actor, clientId, overlap)
  const until =
    overlap === 0
      ? html`<p>${consoleText('client.formerEnded')}</p>`
      : html`<p>${consoleText('client.formerValid')} !${timeMarkup(formerEndsAt)}</p>`
  return html`!${secretMarkup(rotated)}!${until}`
}
