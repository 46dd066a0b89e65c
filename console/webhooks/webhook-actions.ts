/** Creates subscriptions, and sends deliveries and events again. */
import { html } from 'ghtml'
import { WebhookSelection } from '../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../gateway/context.ts'
import type { AuditAction } from '../../gateway/operators/audit-actions.ts'
import { writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import { ApiError, apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { attemptDeliveriesNow } from '../../gateway/webhooks/deliveries/attempt-deliveries-now.ts'
import { getWebhookDelivery, retryDelivery } from '../../gateway/webhooks/deliveries/list-webhook-deliveries.ts'
import { type ReplayRequest, replayEvents } from '../../gateway/webhooks/events/replay-events.ts'
import type { SubscriptionKey } from '../../gateway/webhooks/store/subscription.ts'
import {
  disableSubscription,
  pauseSubscription,
  resumeSubscription,
  rotateSigningSecret,
} from '../../gateway/webhooks/subscriptions/change-subscription.ts'
import { createSubscription } from '../../gateway/webhooks/subscriptions/create-subscription.ts'
import { getWebhookSubscription } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import { testSubscription } from '../../gateway/webhooks/subscriptions/test-subscription.ts'
import { SUBSCRIPTION_ROWS } from '../../gateway/webhooks/webhook-rows.ts'
import { requireRights, rightsOfSubscription } from '../access/conferred-rights.ts'
import { actorOf } from '../access/console-session.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import type { FilterState } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { findPartnerOfForm } from '../lists/partner-field.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { doneMarkup } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'
import { requireVisibleDelivery } from './delivery-page.ts'
import { subscriptionPage } from './subscription-page.ts'
import { subscriptionsPage, WEBHOOKS_PATH } from './subscriptions-page.ts'

/** What is done with the subscription, and how the audit log calls it; returns the notice as markup. */
type SubscriptionAction = {
  readonly recorded: AuditAction
  /** Whether it calls the endpoint, or runs in several transactions: it is recorded after it then, not together with it. */
  readonly isLong?: true
  readonly perform: (context: ConsoleContext, key: SubscriptionKey) => Promise<string>
}

/** Each is the last part of the path of its form. */
export const SUBSCRIPTION_ACTIONS: Readonly<Record<string, SubscriptionAction>> = {
  test: {
    recorded: 'webhook subscription tested',
    isLong: true,
    perform: async (context, key) => {
      const { succeeded, error } = await testSubscription(context, key, context.webhookTests)
      return html`<p>${succeeded ? consoleText('subscription.testSucceeded') : consoleText('subscription.testFailed', { error: error ?? '' })}</p>`
    },
  },
  'rotate-secret': {
    recorded: 'webhook signing secret rotated',
    perform: async (context, key) => secretMarkup((await rotateSigningSecret(context, key)).signingSecret),
  },
  pause: {
    recorded: 'webhook subscription paused',
    perform: async (context, key) => {
      await pauseSubscription(context, key)
      return html`<p>${consoleText('subscription.nowPaused')}</p>`
    },
  },
  resume: {
    recorded: 'webhook subscription resumed',
    isLong: true,
    perform: async (context, key) => {
      await resumeSubscription(context, key)
      return html`<p>${consoleText('subscription.nowResumed')}</p>`
    },
  },
  disable: {
    recorded: 'webhook subscription disabled',
    perform: async (context, key) => {
      await disableSubscription(context, key)
      return html`<p>${consoleText('subscription.nowDisabled')}</p>`
    },
  },
}

/** Performs an action on the subscription in the path, records it, and shows the page with the returned notice. */
export async function actOnSubscription(
  context: ConsoleContext,
  request: ConsoleRequest,
  { recorded, isLong, perform }: SubscriptionAction,
): Promise<ConsoleAnswer> {
  const { viewer, params } = request
  const { partnerId, id } = await requireVisible(context, viewer, SUBSCRIPTION_ROWS, params['subscriptionId'])
  const key = { partnerId, id }
  const subscription = await getWebhookSubscription(context, key, id)
  requireRights(viewer, rightsOfSubscription(subscription))
  // It may have been disabled since the page was shown.
  if (!subscription.enabled) {
    throw apiError('conflict', 'The webhook subscription is disabled')
  }
  const act = async (context: ConsoleContext) => {
    const notice = await perform(context, key)
    await recordAction(context, viewer, { ...key, action: recorded })
    return notice
  }
  const notice = await (isLong === true ? act(context) : inTransaction(context, act))
  return await subscriptionPage(context, request, doneMarkup(notice))
}

/** Days that make no sense are shown again. */
export async function replay(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { window, entry } = readReplayWindow(request)
  if (window === undefined) {
    return await subscriptionPage(context, request, '', entry)
  }
  return await actOnSubscription(context, request, {
    recorded: 'webhook replay requested',
    isLong: true,
    perform: async (_, { partnerId, id: subscriptionId }) => {
      const replayed = { partnerId, subscriptionId, ...window, dryRun: false }
      const [found] = await replayEvents(context, actorOf(request.viewer.session), replayed)
      const counts = { count: found?.deliveries ?? 0, events: found?.events ?? 0 }
      return html`<p>${consoleText('subscription.replayed', counts)}</p>`
    },
  })
}

/** The subscription belongs to the user's partner; an operator chooses one. */
export async function create(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { viewer, form } = request
  const targetUrl = form.text('targetUrl')
  const partner = await findPartnerOfForm(context, request)
  const chosenTypes = form.texts('eventType')
  const eventTypes = WebhookSelection.enum.filter((type) => chosenTypes.includes(type))
  const entered = { targetUrl, eventTypes }
  if (partner === undefined || eventTypes.length === 0) {
    return await subscriptionsPage(context, viewer, { ...entered, message: consoleText('webhooks.incomplete') })
  }
  requireRights(viewer, rightsOfSubscription({ eventTypes }))
  try {
    const created = await inTransaction(context, async (context) => {
      const subscription = await createSubscription(context, { partnerId: partner.id }, { targetUrl, eventTypes })
      const entry = { partnerId: partner.id, id: subscription.id, action: 'webhook subscription created' } as const
      await recordAction(context, viewer, entry)
      return subscription
    })
    const warnings = (created.warnings ?? []).map(({ reason }) => html`<p>${reason}</p>`)
    const notice = doneMarkup(`${secretMarkup(created.signingSecret)}${warnings.join('')}`)
    return await subscriptionPage(context, { ...request, params: { subscriptionId: created.id } }, notice)
  } catch (error) {
    if (error instanceof ApiError) {
      return await subscriptionsPage(context, viewer, { ...entered, message: error.message })
    }
    throw error
  }
}

export async function retry(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
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
  const { id } = await inTransaction(context, async (context) => {
    const retried = await retryDelivery(context, key)
    await recordAction(context, request.viewer, { ...subscriptionKey, action: 'webhook delivery retried' })
    return retried
  })
  return { kind: 'redirect', to: `${WEBHOOKS_PATH}/${key.subscriptionId}/deliveries/${id}` }
}

/** The secret is shown on this page only. */
function secretMarkup(secret: string): string {
  return html`<p>${consoleText('subscription.secret')}</p><p>!${copyableCode(secret, consoleText('subscription.secretName'))}</p>`
}

export async function recordAction(
  context: Context,
  { session }: Viewer,
  { partnerId, id, action }: { readonly partnerId: string; readonly id: string; readonly action: AuditAction },
): Promise<void> {
  await writeAuditEntry(context, { partnerId, actor: actorOf(session), action, subject: ['webhook subscription', id] })
}

type ReplayWindow = Pick<ReplayRequest, 'since' | 'until'>

/** Days are those of the reader, and the last one is included. No window where a day is wrong, as the entry says. */
function readReplayWindow({ form }: ConsoleRequest): {
  readonly window: ReplayWindow | undefined
  readonly entry: FilterState
} {
  const query = new URLSearchParams({ from: form.text('from'), to: form.text('to') })
  const filters = filterReader(query)
  const { createdFrom: since, createdBefore: until } = filters.period()
  if (query.get('from') === '') {
    filters.reject('from', consoleText('filters.noDay'))
  }
  const { errors } = filters
  const window = errors.size > 0 || since === undefined ? undefined : { since, until }
  return { window, entry: { query, errors } }
}
