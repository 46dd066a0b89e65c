/** Checks deliveries of webhooks: signature, order, selection, retries, and credentials. */

import { paymentEventTypes } from '../../contract/webhooks/event-types.ts'
import { PaymentStatusEvent } from '../../contract/webhooks/webhook-events.ts'
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { require, requireNone, valueAt } from '../expectations.ts'
import { decideApproval, type Ordered, orderPayment, requireSandbox } from '../subjects/payments.ts'
import { pollUntil, subject, wallTime } from '../subjects/subject.ts'
import { schemaProblems } from '../validation/validate-answer.ts'
import { type ReceivedDelivery, signatureProblems, subscribe } from '../webhooks/subscription.ts'

const TIMESTAMP_SECONDS_MAX = 300

const eventsAbout = (deliveries: readonly ReceivedDelivery[], { initiated }: Ordered) =>
  deliveries.filter((delivery) => valueAt(delivery.event, '.data.paymentId') === initiated.paymentId)

/** A payment that was signed and settled while a subscription received its events. */
const followed = subject(async (context: CheckContext) => {
  requireSandbox(context)
  const subscription = await subscribe(context)
  const ordered = await orderPayment(context)
  await decideApproval(context, ordered, 'sign')
  const { paymentId } = ordered.initiated
  await context.succeed('getPaymentStatus', { params: { paymentId } })
  await context.succeed('stepSandboxPayment', { params: { paymentId, step: 'settle' }, body: {} })
  const isComplete = (deliveries: readonly ReceivedDelivery[]) =>
    eventsAbout(deliveries, ordered).some((delivery) => valueAt(delivery.event, '.data.status') === 'Completed')
  const deliveries = await pollUntil(
    context,
    async () => {
      await context.succeed('getPaymentStatus', { params: { paymentId } })
      return await subscription.deliveries()
    },
    isComplete,
  )
  return { subscription, ordered, deliveries: eventsAbout(deliveries, ordered) }
})

export const WEBHOOK_DELIVERY_CHECKS: readonly Check[] = documentedIn('Guide: webhooks', [
  {
    id: 'webhooks-signature',
    title: 'Deliveries are signed',
    rule: 'X-SVC-Webhook-Signature is v1= and the hexadecimal HMAC-SHA256 of timestamp, dot and exact body with the signing secret; the timestamp is recent.',
    run: async (context) => {
      const { subscription, deliveries } = await followed(context)
      require(deliveries.length > 0, 'No event of the payment was delivered')
      const now = (await wallTime(context)).epochMilliseconds / 1_000
      const ages = deliveries.map(({ headers }) => now - Number(headers['x-svc-webhook-timestamp']))
      requireNone([
        ...deliveries.flatMap((delivery) => signatureProblems(subscription.signingSecret, delivery)),
        ...ages
          .filter((age) => !(Math.abs(age) < TIMESTAMP_SECONDS_MAX))
          .map((age) => `X-SVC-Webhook-Timestamp is ${age} seconds from the present time`),
      ])
    },
  },
  {
    id: 'webhooks-body',
    title: 'Deliveries have the documented headers and body',
    rule: 'The body is an event of a payment, X-SVC-Webhook-Event its type, and X-SVC-Webhook-Id the delivery, which is not the event.',
    run: async (context) => {
      const { deliveries } = await followed(context)
      require(deliveries.length > 0, 'No event of the payment was delivered')
      requireNone(
        deliveries.flatMap((delivery) => {
          const { event: body } = delivery
          const { 'x-svc-webhook-event': type, 'x-svc-webhook-id': id, 'content-type': media } = delivery.headers
          return [
            ...schemaProblems('PaymentStatusEvent', PaymentStatusEvent, body).map((problem) => `The body: ${problem}`),
            ...(type === valueAt(body, '.type') ? [] : [`X-SVC-Webhook-Event is ${String(type)}`]),
            ...(id !== undefined && id !== valueAt(body, '.id') ? [] : [`X-SVC-Webhook-Id is ${String(id)}`]),
            ...(media?.startsWith('application/json') === true ? [] : [`Content-Type is ${String(media)}`]),
          ]
        }),
      )
    },
  },
  {
    id: 'webhooks-order',
    title: 'Each change of status is delivered once and in order',
    rule: 'previousStatus is the status of the event before, occurredAt increases strictly, and type names the status.',
    run: async (context) => {
      const { deliveries } = await followed(context)
      const events = deliveries.map(({ event }) => event)
      const statuses = events.map((event) => String(valueAt(event, '.data.status')))
      const previous = events.map((event) => String(valueAt(event, '.data.previousStatus')))
      const times = events.map((event) => String(valueAt(event, '.occurredAt')))
      const ids = events.map((event) => String(valueAt(event, '.id')))
      const types = new Map<string, string>(Object.entries(paymentEventTypes))
      requireNone([
        statuses.at(-1) === 'Completed' ||
          `The statuses are ${statuses.join(', ') || 'none'}, expected the last one to be Completed`,
        ...previous
          .slice(1)
          .flatMap((status, index) =>
            status === statuses[index] ? [] : [`previousStatus is ${status} after ${String(statuses[index])}`],
          ),
        ...times
          .slice(1)
          .flatMap((time, index) =>
            time > (times[index] ?? '') ? [] : [`occurredAt ${time} is not after ${String(times[index])}`],
          ),
        new Set(ids).size === ids.length || `An event was delivered again although it was accepted: ${ids.join(', ')}`,
        ...events.flatMap((event) => {
          const type = String(valueAt(event, '.type'))
          return type === types.get(String(valueAt(event, '.data.status'))) ? [] : [`The type is ${type}`]
        }),
      ])
    },
  },
  {
    id: 'webhooks-events-listed',
    title: 'Events are listed as they were delivered',
    rule: 'GET /api/webhooks/events returns the events in the order of recording, each once, also page by page.',
    reference: 'API reference: listWebhookEvents',
    run: async (context) => {
      const { deliveries } = await followed(context)
      const listed: unknown[] = []
      let after: string | undefined
      for (;;) {
        const page = await context.succeed('listWebhookEvents', { query: { after, limit: 500 } })
        listed.push(...page.events)
        if (page.events.length === 0 || page.nextAfter === after) {
          break
        }
        after = page.nextAfter
      }
      const bodies = listed.map((event) => JSON.stringify(event))
      const positions = deliveries.map((delivery) => bodies.indexOf(JSON.stringify(delivery.event)))
      requireNone([
        new Set(bodies).size === bodies.length || 'The list has an event again',
        !positions.includes(-1) || 'The list lacks an event that was delivered, or shows it otherwise',
        positions.join() === positions.toSorted((one, other) => one - other).join() || 'The list has another order',
      ])
    },
  },
  {
    id: 'webhooks-replay',
    title: 'Events of a time window are delivered again',
    rule: 'The replayed deliveries have the ids and bodies of the events, and other delivery ids.',
    reference: 'API reference: replayWebhookEvents',
    run: async (context) => {
      const { subscription, ordered, deliveries } = await followed(context)
      const since = String(valueAt(deliveries[0]?.event, '.occurredAt'))
      await context.succeed('replayWebhookEvents', { params: { id: subscription.id }, body: { since } })
      const found = await pollUntil(
        context,
        async () => eventsAbout(await subscription.deliveries(), ordered),
        (received) => received.length >= 2 * deliveries.length,
      )
      const again = found.slice(deliveries.length)
      const bodies = (list: readonly ReceivedDelivery[]) => list.map(({ body }) => body).join('\n')
      const ids = new Set(found.map(({ headers }) => headers['x-svc-webhook-id']))
      require(bodies(again) ===
        bodies(
          deliveries,
        ), `${again.length} events were delivered again, expected ${deliveries.length} with the same bodies`)
      require(ids.size === found.length, 'A replayed delivery has the id of the former one')
    },
  },
  {
    id: 'webhooks-selection',
    title: 'A subscription gets what it selects',
    rule: 'A subscription to PAYMENT_STATUS_REJECTED gets no other event of a payment.',
    run: async (context) => {
      requireSandbox(context)
      const subscription = await subscribe(context, ['PAYMENT_STATUS_REJECTED'])
      const ordered = await orderPayment(context)
      await decideApproval(context, ordered, 'sign')
      const { paymentId } = ordered.initiated
      const body = { transactionStatus: 'RJCT' }
      await context.succeed('setSandboxPaymentStatus', { params: { paymentId }, body })
      const deliveries = await pollUntil(
        context,
        subscription.deliveries,
        (found) => eventsAbout(found, ordered).length > 0,
      )
      const types = eventsAbout(deliveries, ordered).map((delivery) => valueAt(delivery.event, '.type'))
      require(types.join() === 'PAYMENT_STATUS_REJECTED', `The delivered types are ${types.join(', ') || 'none'}`)
    },
  },
])
