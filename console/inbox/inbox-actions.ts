/** Subscribes the webhook inbox, and sends it a test. */
import { html } from 'ghtml'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import { writeAuditEntry } from '../../gateway/operators/write-audit-entry.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { openInbox } from '../../gateway/webhooks/inbox/open-inbox.ts'
import { createSubscription } from '../../gateway/webhooks/subscriptions/create-subscription.ts'
import { testSubscription } from '../../gateway/webhooks/subscriptions/test-subscription.ts'
import { actorOf } from '../access/console-session.ts'
import { partnerFilterOf } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { consoleText } from '../texts/console-texts.ts'
import { findInboxSubscription, INBOX_PATH, inboxPage } from './inbox-page.ts'

/** Once only: another subscription would deliver every event twice. */
export async function subscribe(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const partnerId = await requirePartnerOfForm(context, request)
  const targetUrl = await openInbox(context, partnerId)
  if ((await findInboxSubscription(context, partnerId, targetUrl)) === undefined) {
    const body = { targetUrl, eventTypes: ['PAYMENT_STATUS' as const] }
    const { id } = await createSubscription(context, { partnerId }, body)
    await record(context, request, { partnerId, id, action: 'webhook inbox subscribed' })
  }
  return { kind: 'redirect', to: `${INBOX_PATH}${queryOf(request, partnerId)}` }
}

export async function test(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const partnerId = await requirePartnerOfForm(context, request)
  const subscription = await findInboxSubscription(context, partnerId, await openInbox(context, partnerId))
  if (subscription === undefined) {
    throw apiError('conflict', consoleText('inbox.notSubscribed'))
  }
  const key = { partnerId, id: subscription.id }
  const { succeeded, error } = await testSubscription(context, key, context.webhookTests)
  await record(context, request, { ...key, action: 'webhook subscription tested' })
  const text = succeeded
    ? consoleText('subscription.testSucceeded')
    : consoleText('subscription.testFailed', { error: error ?? '' })
  const query = new URLSearchParams(queryOf(request, partnerId))
  return await inboxPage(context, { ...request, query }, html`<p>${text}</p>`)
}

async function requirePartnerOfForm(context: ConsoleContext, { viewer, form }: ConsoleRequest): Promise<string> {
  const chosen = partnerFilterOf(viewer, form.text('partner'))
  const partner = chosen === null || !isId(chosen) ? undefined : await findPartnerById(context, chosen)
  if (partner === undefined) {
    throw apiError('bad-request', consoleText('inbox.noPartner'))
  }
  return partner.id
}

function queryOf({ viewer }: ConsoleRequest, partnerId: string): string {
  return viewer.session.partnerId === null ? `?partner=${partnerId}` : ''
}

async function record(
  context: ConsoleContext,
  { viewer }: ConsoleRequest,
  { partnerId, id, action }: { readonly partnerId: string; readonly id: string; readonly action: string },
): Promise<void> {
  const subject = ['webhook subscription', id] as const
  await writeAuditEntry(context, { partnerId, actor: actorOf(viewer.session), action, subject })
}
