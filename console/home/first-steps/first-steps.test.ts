/** Tests that the first steps of a developer are ticked off. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitBank } from '../../../gateway/testing/browser/bank-user.ts'
import { signInAs, textOf } from '../../../gateway/testing/console/console-user.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI } from '../../../gateway/testing/payments/sample-payments.ts'
import { startWebhookGateway, type WebhookGateway } from '../../../gateway/testing/webhooks/webhook-gateway.ts'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())

async function overview(): Promise<string> {
  return textOf(await (await signInAs(webhooks.gateway, 'partner-developer')).open('/console'))
}

test('the first steps are ticked off as the requests arrive', async () => {
  const { gateway } = webhooks
  const stepsDone = async () => [...(await overview()).matchAll(/(Done|Open):/g)].map(([, state]) => state === 'Done')
  const [consentAsked, , , , , delivered] = await stepsDone()
  expect([consentAsked, delivered]).toEqual([false, false])
  const consent = await acceptedConsent(gateway)
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  await webhooks.subscribe('/first')
  expect(await stepsDone()).toEqual([true, true, true, false, true, false])
  const { sca } = await gateway.client.approvePayments({
    ...consent,
    body: { payments: [paymentId], callbackUrl: CALLBACK },
  })
  await visitBank(sca?.type === 'redirect' ? sca.url : '', { userId: KARI })
  await gateway.sweep()
  expect(await stepsDone()).toEqual([true, true, true, true, true, true])
})
