/** The sandbox's webhook inbox: subscribes it by a click, sends it a test, and shows live what it has received. */

import { html } from 'ghtml'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { openInbox, readInboxVersions } from '../../gateway/webhooks/inbox/inbox.ts'
import { createSubscription } from '../../gateway/webhooks/subscriptions/create-subscription.ts'
import { testSubscription } from '../../gateway/webhooks/subscriptions/test-subscription.ts'
import { requireRights, rightsOfSubscription } from '../access/conferred-rights.ts'
import { partnerFilterOf } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { findPartnerOfForm } from '../lists/partner-field.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { consoleText } from '../texts/console-texts.ts'
import { recordAction } from '../webhooks/webhook-actions.ts'
import { findInboxSubscription, INBOX_PATH, inboxPage, receivedMarkup } from './inbox-page.ts'

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

/** Once only: another subscription would deliver every event twice. */
async function subscribe(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const partnerId = await requirePartnerOfForm(context, request)
  const targetUrl = await openInbox(context, partnerId)
  if ((await findInboxSubscription(context, partnerId, targetUrl)) === undefined) {
    const body = { targetUrl, eventTypes: ['PAYMENT_STATUS' as const] }
    const { id } = await createSubscription(context, { partnerId }, body)
    await recordAction(context, request.viewer, { partnerId, id, action: 'webhook inbox subscribed' })
  }
  return { kind: 'redirect', to: `${INBOX_PATH}${queryOf(request, partnerId)}` }
}

async function test(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const partnerId = await requirePartnerOfForm(context, request)
  const subscription = await findInboxSubscription(context, partnerId, await openInbox(context, partnerId))
  if (subscription === undefined) {
    throw apiError('conflict', consoleText('inbox.notSubscribed'))
  }
  requireRights(request.viewer, rightsOfSubscription(subscription))
  const key = { partnerId, id: subscription.id }
  const { succeeded, error } = await testSubscription(context, key, context.webhookTests)
  await recordAction(context, request.viewer, { ...key, action: 'webhook subscription tested' })
  const text = succeeded
    ? consoleText('subscription.testSucceeded')
    : consoleText('subscription.testFailed', { error: error ?? '' })
  const query = new URLSearchParams(queryOf(request, partnerId))
  return await inboxPage(context, { ...request, query }, html`<p>${text}</p>`)
}

async function requirePartnerOfForm(context: ConsoleContext, request: ConsoleRequest): Promise<string> {
  const partner = await findPartnerOfForm(context, request)
  if (partner === undefined) {
    throw apiError('bad-request', consoleText('inbox.noPartner'))
  }
  return partner.id
}

function queryOf({ viewer }: ConsoleRequest, partnerId: string): string {
  return viewer.session.partnerId === null ? `?partner=${partnerId}` : ''
}
