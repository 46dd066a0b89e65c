/** Journey: a partner receives every status change of a payment by webhook, and retrieves a missed one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPaymentStatusChanged, verifyWebhook, type WebhookVerification } from '../../sdk/index.ts'
import { visitBank } from '../testing/browser/bank-user.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../testing/payments/sample-payments.ts'
import { startWebhookGateway, type WebhookGateway } from '../testing/webhooks/webhook-gateway.ts'
import type { Received } from '../testing/webhooks/webhook-receiver.ts'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())

test('a partner gets every change of its payment, in order, and finds what it missed', async () => {
  const { gateway, receiver, subscribe } = webhooks
  const { client } = gateway
  const { id, signingSecret } = await subscribe('/hooks')
  const verified = () => receiver.received.map((received) => changeIn(verify(received, signingSecret)))
  const consented = await acceptedConsent(gateway)
  const { paymentId, paymentStatus } = await client.initiateDomesticPayment({
    ...consented,
    body: domesticPayment(gateway),
  })
  await gateway.sweep()
  expect([paymentStatus.status, verified()]).toEqual(['Unsigned', []])

  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  const { sca } = await client.approvePayments({ ...consented, body })
  await visitBank(sca?.type === 'redirect' ? sca.url : '')
  await gateway.sweep()
  const signed = { paymentId, previousStatus: 'Unsigned', status: 'InProgress' }
  expect(verified()).toMatchObject([signed])

  receiver.behave((response) => response.writeHead(404).end())
  await client.moveSandboxClock({ body: { advance: 'PT1H' } })
  receiver.behave((response) => response.writeHead(204).end())
  const settled = { paymentId, previousStatus: 'InProgress', status: 'Completed' }
  const { deliveries } = await client.listWebhookDeliveries({ params: { id }, query: { status: 'Failed' } })
  expect(deliveries).toMatchObject([{ eventType: 'PAYMENT_STATUS_COMPLETED', lastError: 'The endpoint answered 404' }])
  await client.retryWebhookDelivery({ params: { id, deliveryId: deliveries[0]?.id ?? '' } })
  await gateway.sweep()
  expect(verified()).toMatchObject([signed, settled, settled])

  const { events } = await client.listWebhookEvents()
  expect(events.map(({ data }) => data)).toMatchObject([signed, settled])
  expect(events.map((event) => event.id)).toEqual([
    ...new Set(receiver.received.map(({ body: sent }) => JSON.parse(sent.toString()).id)),
  ])
  const [first, second] = events.map(({ occurredAt }) => Temporal.Instant.from(occurredAt))
  expect(first && second && Temporal.Instant.compare(first, second)).toBe(-1)
})

function verify({ body, headers }: Received, secret: string): WebhookVerification {
  return verifyWebhook(body, headers, secret)
}

function changeIn(verification: WebhookVerification): object {
  return verification.verified && isPaymentStatusChanged(verification.event) ? verification.event.data : verification
}
