/** Webhooks of partners: subscriptions, their deliveries, and what can be done with both. */

import type { ConsoleContext } from '../console-context.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import { attemptNow } from './attempt-now.ts'
import { deliveryPage } from './delivery-page.ts'
import { EVENTS_PATH, eventPage } from './event-page.ts'
import { subscriptionPage } from './subscription-page.ts'
import { subscriptionsPage, WEBHOOKS_PATH } from './subscriptions-page.ts'
import { actOnSubscription, create, replay, retry, SUBSCRIPTION_ACTIONS } from './webhook-actions.ts'

const ONE = `${WEBHOOKS_PATH}/:subscriptionId`
const ONE_DELIVERY = `${ONE}/deliveries/:deliveryId`

export function webhookRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const read = get('developer.read')
  const act = post('developer.act')
  return [
    read(WEBHOOKS_PATH, ({ viewer }) => subscriptionsPage(context, viewer)),
    act(WEBHOOKS_PATH, (request) => create(context, request)),
    read(`${EVENTS_PATH}/:eventId`, (request) => eventPage(context, request)),
    read(ONE, (request) => subscriptionPage(context, request)),
    read(ONE_DELIVERY, (request) => deliveryPage(context, request)),
    act(`${ONE}/attempt-now`, (request) => attemptNow(context, request)),
    act(`${ONE_DELIVERY}/retry`, (request) => retry(context, request)),
    act(`${ONE}/replay`, (request) => replay(context, request)),
    ...Object.entries(SUBSCRIPTION_ACTIONS).map(([name, action]) =>
      act(`${ONE}/${name}`, (request) => actOnSubscription(context, request, action)),
    ),
  ]
}
