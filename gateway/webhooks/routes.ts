/** Serves the operations of webhook management. */

import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { validateInstants } from '../platform/http/parse-time-parameter.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  retryDelivery,
  validateDeliveryListQuery,
} from './deliveries/list-webhook-deliveries.ts'
import { listWebhookEvents } from './events/list-webhook-events.ts'
import { parseReplayWindow, replayToSubscription } from './events/replay-to-subscription.ts'
import { listReceived, openInbox } from './inbox/inbox.ts'
import {
  disableSubscription,
  pauseSubscription,
  resumeSubscription,
  rotateBearerToken,
  rotateSigningSecret,
  updateSubscription,
} from './subscriptions/change-subscription.ts'
import { createSubscription } from './subscriptions/create-subscription.ts'
import { getWebhookSubscription, listWebhookSubscriptions } from './subscriptions/get-webhook-subscription.ts'
import { type TestDependencies, testSubscription } from './subscriptions/test-subscription.ts'

type Called = { readonly caller: PartnerCaller; readonly params: { readonly id: string } }
type CalledOnOne = Called & { readonly params: { readonly deliveryId: string } }

export function serveWebhooks<Consent>(
  serve: Serve<PartnerCaller, Consent>,
  context: Context,
  tests: TestDependencies,
): void {
  serve(operations.createWebhookSubscription, ({ caller, body }) => createSubscription(context, caller, body))
  serve(operations.listWebhookSubscriptions, ({ caller }) => listWebhookSubscriptions(context, caller))
  serve(operations.getWebhookSubscription, ({ caller, params }) => getWebhookSubscription(context, caller, params.id))
  serve(operations.updateWebhookSubscription, (call) => updateSubscription(context, keyOf(call), call.body))
  serve(operations.disableWebhookSubscription, (call) => disableSubscription(context, keyOf(call)))
  serve(operations.pauseWebhookSubscription, (call) => pauseSubscription(context, keyOf(call)))
  serve(operations.resumeWebhookSubscription, (call) => resumeSubscription(context, keyOf(call)))
  serve(operations.rotateWebhookBearerToken, (call) => rotateBearerToken(context, keyOf(call), call.body.bearerToken))
  serve(operations.rotateWebhookSigningSecret, (call) => rotateSigningSecret(context, keyOf(call)))
  serve(operations.testWebhookSubscription, (call) => testSubscription(context, keyOf(call), tests))
  serve(operations.replayWebhookEvents, {
    rules: ({ body }, isSound) => (isSound('.since') && isSound('.until') ? parseReplayWindow(body) : []),
    handle: ({ caller, params, parsed }) => replayToSubscription(context, caller, params.id, parsed),
  })
  serve(operations.listWebhookDeliveries, {
    rules: (call, isSound) => (isSound('.cursor') ? validateDeliveryListQuery(context, keyOf(call), call.query) : []),
    handle: (call) => listWebhookDeliveries(context, keyOf(call), call.query),
  })
  serve(operations.getWebhookDelivery, (call) => getWebhookDelivery(context, deliveryKeyOf(call)))
  serve(operations.retryWebhookDelivery, (call) => retryDelivery(context, deliveryKeyOf(call)))
  serve(operations.listWebhookEvents, ({ caller, query }) => listWebhookEvents(context, caller, query))
}

/** The sandbox operations on the webhook inbox. */
export function serveInbox<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.openSandboxInbox, async ({ caller }) => ({ url: await openInbox(context, caller.partnerId) }))
  serve(operations.listSandboxInboxDeliveries, {
    rules: ({ query }, isSound) => validateInstants({ receivedSince: query.receivedSince }, isSound),
    handle: ({ caller, query }) => listReceived(context, caller, query),
  })
}

function keyOf({ caller: { partnerId }, params: { id } }: Called) {
  return { partnerId, id }
}

function deliveryKeyOf({ caller: { partnerId }, params: { id: subscriptionId, deliveryId: id } }: CalledOnOne) {
  return { partnerId, subscriptionId, id }
}
