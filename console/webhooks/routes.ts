/** Webhooks of partners: subscriptions, their deliveries, and what can be done with both. */

import { html } from 'ghtml'
import { WebhookSelection } from '../../contract/webhooks/webhook-subscriptions.ts'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { writeAuditEntry } from '../../gateway/operators/write-audit-entry.ts'
import { ApiError, apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { attemptDeliveriesNow } from '../../gateway/webhooks/deliveries/attempt-deliveries-now.ts'
import { getWebhookDelivery, retryDelivery } from '../../gateway/webhooks/deliveries/list-webhook-deliveries.ts'
import { replayEvents } from '../../gateway/webhooks/events/replay-events.ts'
import type { SubscriptionKey } from '../../gateway/webhooks/store/subscription.ts'
import { createSubscription } from '../../gateway/webhooks/subscriptions/create-subscription.ts'
import { getWebhookSubscription } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import { pauseSubscription, resumeSubscription } from '../../gateway/webhooks/subscriptions/pause-subscription.ts'
import { rotateSigningSecret } from '../../gateway/webhooks/subscriptions/rotate-secrets.ts'
import { testSubscription } from '../../gateway/webhooks/subscriptions/test-subscription.ts'
import { disableSubscription } from '../../gateway/webhooks/subscriptions/update-subscription.ts'
import { SUBSCRIPTION_ROWS } from '../../gateway/webhooks/webhook-rows.ts'
import { requireRights, rightsOfSubscription } from '../access/conferred-rights.ts'
import { actorOf } from '../access/console-session.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { consoleText } from '../texts/console-texts.ts'
import { attemptNow } from './attempt-now.ts'
import { deliveryPage, requireVisibleDelivery } from './delivery-page.ts'
import { EVENTS_PATH, eventPage } from './event-page.ts'
import { type ReplayWindow, readReplayWindow } from './read-replay-window.ts'
import { subscriptionPage } from './subscription-page.ts'
import { subscriptionsPage, WEBHOOKS_PATH } from './subscriptions-page.ts'

const ONE = `${WEBHOOKS_PATH}/:subscriptionId`
const ONE_DELIVERY = `${ONE}/deliveries/:deliveryId`

export function webhookRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'developer.read' } as const
  const act = { method: 'POST', permission: 'developer.act' } as const
  /** Performs an action on the subscription in the path, records it, and shows the page with the returned notice. */
  const acting = (action: string, perform: (key: SubscriptionKey, request: ConsoleRequest) => Promise<string>) => ({
    ...act,
    handle: async (request: ConsoleRequest): Promise<ConsoleAnswer> => {
      const { partnerId, id } = await requireVisible(
        context,
        request.viewer,
        SUBSCRIPTION_ROWS,
        request.params['subscriptionId'],
      )
      const key = { partnerId, id }
      const subscription = await getWebhookSubscription(context, key, key.id)
      requireRights(request.viewer, rightsOfSubscription(subscription))
      // It may have been disabled since the page was shown.
      if (!subscription.enabled) {
        throw apiError('conflict', 'The webhook subscription is disabled')
      }
      const notice = await perform(key, request)
      await recordAction(context, request.viewer, { ...key, action })
      return await subscriptionPage(context, request, html`<div class="notice" role="status">!${notice}</div>`)
    },
  })
  return [
    { ...read, path: WEBHOOKS_PATH, handle: ({ viewer }) => subscriptionsPage(context, viewer) },
    { ...act, path: WEBHOOKS_PATH, handle: (request) => create(context, request) },
    { ...read, path: `${EVENTS_PATH}/:eventId`, handle: (request) => eventPage(context, request) },
    { ...read, path: ONE, handle: (request) => subscriptionPage(context, request) },
    { ...read, path: ONE_DELIVERY, handle: (request) => deliveryPage(context, request) },
    { ...act, path: `${ONE}/attempt-now`, handle: (request) => attemptNow(context, request) },
    { ...act, path: `${ONE_DELIVERY}/retry`, handle: (request) => retry(context, request) },
    {
      path: `${ONE}/test`,
      ...acting('webhook subscription tested', async (key) => {
        const { succeeded, error } = await testSubscription(context, key, context.webhookTests)
        return html`<p>${succeeded ? consoleText('subscription.testSucceeded') : consoleText('subscription.testFailed', { error: error ?? '' })}</p>`
      }),
    },
    {
      path: `${ONE}/rotate-secret`,
      ...acting('webhook signing secret rotated', async (key) =>
        secretMarkup((await rotateSigningSecret(context, key)).signingSecret),
      ),
    },
    {
      ...act,
      path: `${ONE}/replay`,
      handle: async (request) => {
        const { window, entry } = readReplayWindow(request)
        return window === undefined
          ? await subscriptionPage(context, request, '', entry)
          : await acting('webhook replay requested', (key) => {
              return replay(context, key, actorOf(request.viewer.session), window)
            }).handle(request)
      },
    },
    {
      path: `${ONE}/pause`,
      ...acting('webhook subscription paused', async (key) => {
        await pauseSubscription(context, key)
        return html`<p>${consoleText('subscription.nowPaused')}</p>`
      }),
    },
    {
      path: `${ONE}/resume`,
      ...acting('webhook subscription resumed', async (key) => {
        await resumeSubscription(context, key)
        return html`<p>${consoleText('subscription.nowResumed')}</p>`
      }),
    },
    {
      path: `${ONE}/disable`,
      ...acting('webhook subscription disabled', async (key) => {
        await disableSubscription(context, key)
        return html`<p>${consoleText('subscription.nowDisabled')}</p>`
      }),
    },
  ]
}

async function replay(
  context: Context,
  { partnerId, id: subscriptionId }: SubscriptionKey,
  actor: string,
  window: ReplayWindow,
): Promise<string> {
  const [replayed] = await replayEvents(context, actor, { partnerId, subscriptionId, ...window, dryRun: false })
  return html`<p>${consoleText('subscription.replayed', { deliveries: replayed?.deliveries ?? 0, events: replayed?.events ?? 0 })}</p>`
}

/** The subscription belongs to the user's partner; an operator chooses one. */
async function create(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { viewer, form } = request
  const targetUrl = form.text('targetUrl')
  const chosen = partnerFilterOf(viewer, form.text('partner'))
  const partner = chosen === null || !isId(chosen) ? undefined : await findPartnerById(context, chosen)
  const chosenTypes = form.texts('eventType')
  const eventTypes = WebhookSelection.enum.filter((type) => chosenTypes.includes(type))
  const entered = { targetUrl, eventTypes }
  if (partner === undefined || eventTypes.length === 0) {
    return await subscriptionsPage(context, viewer, { ...entered, message: consoleText('webhooks.incomplete') })
  }
  requireRights(viewer, rightsOfSubscription({ eventTypes }))
  try {
    const created = await createSubscription(context, { partnerId: partner.id }, { targetUrl, eventTypes })
    await recordAction(context, viewer, {
      partnerId: partner.id,
      id: created.id,
      action: 'webhook subscription created',
    })
    const notice = html`<div class="notice" role="status">!${secretMarkup(created.signingSecret)}</div>`
    return await subscriptionPage(context, { ...request, params: { subscriptionId: created.id } }, notice)
  } catch (error) {
    if (error instanceof ApiError) {
      return await subscriptionsPage(context, viewer, { ...entered, message: error.message })
    }
    throw error
  }
}

async function retry(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const key = await requireVisibleDelivery(context, request)
  requireRights(request.viewer, rightsOfSubscription(await getWebhookSubscription(context, key, key.subscriptionId)))
  const subscriptionKey = { partnerId: key.partnerId, id: key.subscriptionId }
  // One that waits for its next attempt gets it now; one that has ended is enqueued again.
  const isWaiting = (await getWebhookDelivery(context, key)).nextAttemptAt !== null
  const { advanced } = isWaiting
    ? await attemptDeliveriesNow(context, actorOf(request.viewer.session), subscriptionKey, [key.id])
    : { advanced: 0 }
  if (advanced > 0) {
    await notifyDue(context.database)
    return { kind: 'redirect', to: `${WEBHOOKS_PATH}/${key.subscriptionId}/deliveries/${key.id}` }
  }
  const { id } = await retryDelivery(context, key)
  await recordAction(context, request.viewer, { ...subscriptionKey, action: 'webhook delivery retried' })
  return { kind: 'redirect', to: `${WEBHOOKS_PATH}/${key.subscriptionId}/deliveries/${id}` }
}

/** The secret is shown on this page only. */
function secretMarkup(secret: string): string {
  return html`<p>${consoleText('subscription.secret')}</p><p><code>${secret}</code></p>`
}

async function recordAction(
  context: Context,
  { session }: Viewer,
  { partnerId, id, action }: { readonly partnerId: string; readonly id: string; readonly action: string },
): Promise<void> {
  await writeAuditEntry(context, { partnerId, actor: actorOf(session), action, subject: ['webhook subscription', id] })
}
