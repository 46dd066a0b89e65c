/** The sandbox's webhook inbox: subscribes it by a click, sends it a test, and shows live what it has received. */
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { readInboxVersions } from '../../gateway/webhooks/inbox/open-inbox.ts'
import { partnerFilterOf } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { subscribe, test } from './inbox-actions.ts'
import { INBOX_PATH, inboxPage, receivedMarkup } from './inbox-page.ts'

/** Empty in production. */
export function inboxRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  if (context.config.mode !== 'sandbox') {
    return []
  }
  const reader: VersionReader = (subjects) => readInboxVersions(context, subjects)
  const act = { method: 'POST', permission: 'developer.act' } as const
  return [
    {
      method: 'GET',
      path: INBOX_PATH,
      permission: 'developer.read',
      handle: (request) => inboxPage(context, request),
    },
    {
      method: 'GET',
      path: `${INBOX_PATH}/:partnerId/live`,
      permission: 'developer.read',
      isLive: true,
      handle: async ({ viewer, params: { partnerId = '' } }) => {
        const partner = isId(partnerId) ? await findPartnerById(context, partnerId) : undefined
        if (partner === undefined || partnerFilterOf(viewer, partner.id) !== partner.id) {
          throw apiError('not-found', 'There is no partner with this id')
        }
        return {
          kind: 'live',
          part: { reader, subject: partner.id, render: () => receivedMarkup(context, partner.id) },
        }
      },
    },
    { ...act, path: `${INBOX_PATH}/subscribe`, handle: (request) => subscribe(context, request) },
    { ...act, path: `${INBOX_PATH}/test`, handle: (request) => test(context, request) },
  ]
}
