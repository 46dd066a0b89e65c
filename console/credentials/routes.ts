/** Credentials of partners: created, rotated with an overlap, revoked and disabled by their developers and by operators. */
import { html } from 'ghtml'
import { revokeClientAccess } from '../../gateway/auth/revoke-partner-access.ts'
import { revokeFormerSecret } from '../../gateway/auth/rotate-client-secret.ts'
import type { Context } from '../../gateway/context.ts'
import { requireRights, rightsOfClient } from '../access/conferred-rights.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { consoleText } from '../texts/console-texts.ts'
import { create, rotate } from './client-actions.ts'
import { clientPage, requireVisibleClient } from './client-page.ts'
import { CREDENTIALS_PATH, credentialsPage } from './credentials-page.ts'

const ONE = `${CREDENTIALS_PATH}/:clientId`

export function credentialRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'developer.read' } as const
  /** Performs an action on the credentials in the path, and shows their page with the returned notice. */
  const acting = (perform: (request: ConsoleRequest, actor: string, clientId: string) => Promise<string>) => ({
    method: 'POST' as const,
    permission: 'developer.act' as const,
    handle: async (request: ConsoleRequest): Promise<ConsoleAnswer> => {
      const client = await requireVisibleClient(context, request)
      requireRights(request.viewer, rightsOfClient(client))
      const notice = await perform(request, actorOf(request.viewer.session), client.clientId)
      return await clientPage(context, request, notice)
    },
  })
  return [
    { ...read, path: CREDENTIALS_PATH, handle: (request) => credentialsPage(context, request) },
    {
      method: 'POST',
      permission: 'developer.act',
      path: CREDENTIALS_PATH,
      handle: (request) => create(context, request),
    },
    { ...read, path: ONE, handle: (request) => clientPage(context, request) },
    { path: `${ONE}/rotate`, ...acting((request, actor, clientId) => rotate(context, request, { actor, clientId })) },
    {
      path: `${ONE}/revoke-former`,
      ...acting(async (_request, actor, clientId) => {
        await revokeFormerSecret(context, actor, clientId)
        return html`<p>${consoleText('client.formerRevoked')}</p>`
      }),
    },
    {
      path: `${ONE}/disable`,
      ...acting(async (_request, actor, clientId) => {
        await revokeClientAccess(context, actor, clientId)
        return html`<p>${consoleText('client.nowDisabled')}</p>`
      }),
    },
  ]
}
