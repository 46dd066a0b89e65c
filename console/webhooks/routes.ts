/** Webhooks of partners: subscriptions, their deliveries, and what can be done with both. */

import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { attemptNow } from './attempt-now.ts'
import { deliveryPage } from './delivery-page.ts'
import { EVENTS_PATH, eventPage } from './event-page.ts'
import { subscriptionPage } from './subscription-page.ts'
import { subscriptionsPage, WEBHOOKS_PATH } from './subscriptions-page.ts'
import { actOnSubscription, create, replay, retry, SUBSCRIPTION_ACTIONS } from './webhook-actions.ts'

const ONE = `${WEBHOOKS_PATH}/:subscriptionId`
const ONE_DELIVERY = `${ONE}/deliveries/:deliveryId`

export function webhookRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'developer.read' } as const
  const act = { method: 'POST', permission: 'developer.act' } as const
  return [
    { ...read, path: WEBHOOKS_PATH, handle: ({ viewer }) => subscriptionsPage(context, viewer) },
    { ...act, path: WEBHOOKS_PATH, handle: (request) => create(context, request) },
    { ...read, path: `${EVENTS_PATH}/:eventId`, handle: (request) => eventPage(context, request) },
    { ...read, path: ONE, handle: (request) => subscriptionPage(context, request) },
    { ...read, path: ONE_DELIVERY, handle: (request) => deliveryPage(context, request) },
    { ...act, path: `${ONE}/attempt-now`, handle: (request) => attemptNow(context, request) },
    { ...act, path: `${ONE_DELIVERY}/retry`, handle: (request) => retry(context, request) },
    { ...act, path: `${ONE}/replay`, handle: (request) => replay(context, request) },
    ...Object.entries(SUBSCRIPTION_ACTIONS).map(
      ([name, action]): ConsoleRoute => ({
        ...act,
        path: `${ONE}/${name}`,
        handle: (request) => actOnSubscription(context, request, action),
      }),
    ),
  ]
}
