/** Credentials of partners: created, rotated with an overlap, revoked and disabled by their developers and by operators. */
import { html } from 'ghtml'
import { createClient } from '../../gateway/auth/create-partner.ts'
import { revokeClientAccess } from '../../gateway/auth/revoke-partner-access.ts'
import { revokeFormerSecret, rotateClientSecret } from '../../gateway/auth/rotate-client-secret.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { requireRights, rightsOfClient } from '../access/conferred-rights.ts'
import { actorOf } from '../access/console-session.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { findPartnerOfForm } from '../lists/partner-field.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { clientPage, OVERLAPS, requireVisibleClient, secretMarkup } from './client-page.ts'
import { CREDENTIALS_PATH, credentialsPage } from './credentials-page.ts'

const ONE = `${CREDENTIALS_PATH}/:clientId`

export function credentialRoutes(context: Context): readonly ConsoleRoute[] {
  const read = get('developer.read')
  const act = post('developer.act')
  /** Performs an action on the credentials in the path, and shows their page with the returned notice. */
  const action = (
    name: string,
    perform: (request: ConsoleRequest, actor: string, clientId: string) => Promise<string>,
  ) =>
    act(`${ONE}/${name}`, async (request) => {
      const client = await requireVisibleClient(context, request)
      requireRights(request.viewer, rightsOfClient(client))
      const notice = await perform(request, actorOf(request.viewer.session), client.clientId)
      return await clientPage(context, request, notice)
    })
  return [
    read(CREDENTIALS_PATH, (request) => credentialsPage(context, request)),
    act(CREDENTIALS_PATH, (request) => create(context, request)),
    read(ONE, (request) => clientPage(context, request)),
    action('rotate', (request, actor, clientId) => rotate(context, request, { actor, clientId })),
    action('revoke-former', async (_request, actor, clientId) => {
      await revokeFormerSecret(context, actor, clientId)
      return html`<p>${consoleText('client.formerRevoked')}</p>`
    }),
    action('disable', async (_request, actor, clientId) => {
      await revokeClientAccess(context, actor, clientId)
      return html`<p>${consoleText('client.nowDisabled')}</p>`
    }),
  ]
}

/** The credentials belong to the user's partner; an operator chooses one. */
async function create(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const partner = await findPartnerOfForm(context, request)
  if (partner === undefined || partner.disabledAt !== null) {
    return await credentialsPage(context, request, consoleText('credentials.noPartner'))
  }
  const created = await createClient(context, actorOf(request.viewer.session), partner)
  return await clientPage(context, { ...request, params: { clientId: created.clientId } }, secretMarkup(created))
}

async function rotate(
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
