/** Subscribes the sandbox's inbox to events for as long as a command runs, and reads what is delivered there. */
import { setTimeout } from 'node:timers/promises'
import type { WebhookSelection } from '../../../contract/webhooks/webhook-subscriptions.ts'
import { HavnConnectionError } from '../../../sdk/index.ts'
import type { Connection, Context } from '../context.ts'

export type InboxDelivery = Awaited<ReturnType<Connection['havn']['listSandboxInboxDeliveries']>>[number]

type InboxSubscription = { readonly id: string; readonly signingSecret: string }

const POLL_MILLISECONDS = 500
const SUBSCRIPTION_HEADER = 'x-svc-webhook-subscription'

/** The subscription is disabled afterwards, also after an error. */
export async function withInboxSubscription<Result>(
  { havn }: Pick<Connection, 'havn'>,
  eventTypes: WebhookSelection[],
  use: (subscription: InboxSubscription) => Promise<Result>,
): Promise<Result> {
  const { url } = await havn.openSandboxInbox()
  const subscription = await havn.createWebhookSubscription({ body: { targetUrl: url, eventTypes } })
  try {
    return await use(subscription)
  } finally {
    await havn.disableWebhookSubscription({ params: { id: subscription.id } })
  }
}

/** Oldest first, each once, until the signal is aborted. A gateway that cannot be reached for a while is asked again. */
export async function* deliveriesOf(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  { havn }: Pick<Connection, 'havn'>,
  subscriptionId: string,
): AsyncGenerator<InboxDelivery> {
  const seen = new Set<string>()
  let isReachable = true
  while (!signal.aborted) {
    try {
      const received = await havn.listSandboxInboxDeliveries()
      if (!isReachable) {
        output.note('The gateway can be reached again')
        isReachable = true
      }
      const own = received.filter(({ id, headers }) => headers[SUBSCRIPTION_HEADER] === subscriptionId && !seen.has(id))
      for (const delivery of own.toReversed()) {
        seen.add(delivery.id)
        yield delivery
      }
    } catch (error) {
      if (!(error instanceof HavnConnectionError)) {
        throw error
      }
      if (isReachable) {
        output.note(`The gateway cannot be reached; trying again: ${error.message}`)
        isReachable = false
      }
    }
    await setTimeout(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined)
  }
}
