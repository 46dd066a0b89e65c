/** The sandbox's webhook inbox: subscribes it by a click, sends it a test, and shows live what it has received. */
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { readInboxVersions } from '../../gateway/webhooks/inbox/inbox.ts'
import { partnerFilterOf } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { subscribe, test } from './inbox-actions.ts'
import { INBOX_PATH, inboxPage, receivedMarkup } from './inbox-page.ts'

/** Empty in production. */
export function inboxRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  if (context.config.mode !== 'sandbox') {
    return []
  }
  const reader: VersionReader = (subjects) => readInboxVersions(context, subjects)
  const live = get('developer.read', { isLive: true })
  const act = post('developer.act')
  return [
    get('developer.read')(INBOX_PATH, (request) => inboxPage(context, request)),
    live(`${INBOX_PATH}/:partnerId/live`, async ({ viewer, params: { partnerId = '' } }) => {
      const partner = isId(partnerId) ? await findPartnerById(context, partnerId) : undefined
      if (partner === undefined || partnerFilterOf(viewer, partner.id) !== partner.id) {
        throw apiError('not-found', 'There is no partner with this id')
      }
      return { kind: 'live', part: { reader, subject: partner.id, render: () => receivedMarkup(context, partner.id) } }
    }),
    act(`${INBOX_PATH}/subscribe`, (request) => subscribe(context, request)),
    act(`${INBOX_PATH}/test`, (request) => test(context, request)),
  ]
}
