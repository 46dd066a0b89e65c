/** Credentials of partners: created, rotated with an overlap, revoked and disabled by their developers and by operators. */
import { html } from 'ghtml'
import { revokeClientAccess } from '../../gateway/auth/revoke-partner-access.ts'
import { revokeFormerSecret } from '../../gateway/auth/rotate-client-secret.ts'
import type { Context } from '../../gateway/context.ts'
import { requireRights, rightsOfClient } from '../access/conferred-rights.ts'
import { actorOf } from '../access/console-session.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import { consoleText } from '../texts/console-texts.ts'
import { create, rotate } from './client-actions.ts'
import { clientPage, requireVisibleClient } from './client-page.ts'
import { CREDENTIALS_PATH, credentialsPage } from './credentials-page.ts'

const ONE = `${CREDENTIALS_PATH}/:clientId`

export function credentialRoutes(context: Context): readonly ConsoleRoute[] {
  const read = get('developer.read')
  /** Performs an action on the credentials in the path, and shows their page with the returned notice. */
  const action = (
    name: string,
    perform: (request: ConsoleRequest, actor: string, clientId: string) => Promise<string>,
    limits?: Pick<ConsoleRoute, 'showsSecret'>,
  ) =>
    post('developer.act', limits)(`${ONE}/${name}`, async (request) => {
      const client = await requireVisibleClient(context, request)
      requireRights(request.viewer, rightsOfClient(client))
      const notice = await perform(request, actorOf(request.viewer.session), client.clientId)
      return await clientPage(context, request, notice)
    })
  return [
    read(CREDENTIALS_PATH, (request) => credentialsPage(context, request)),
    post('developer.act', { showsSecret: true })(CREDENTIALS_PATH, (request) => create(context, request)),
    read(ONE, (request) => clientPage(context, request)),
    action('rotate', (request, actor, clientId) => rotate(context, request, { actor, clientId }), { showsSecret: true }),
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
