/** Tests partners that operators have disabled: no delivery is sent to them, and the log gives the reason. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPartnersWithClients } from '../../auth/list-partners.ts'
import { revokePartnerAccess } from '../../auth/revoke-partner-access.ts'
import { setBusinessTime } from '../../platform/database/business-clock-store.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { enqueueStatusChange } from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import { webhookSweeps } from '../jobs.ts'
import { listRecentDeliveries } from './list-webhook-deliveries.ts'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())

test('a queued delivery of a disabled partner is not sent, follows the schedule and ends with the reason', async () => {
  const { context } = webhooks.gateway
  webhooks.receiver.behave((response) => response.writeHead(204).end())
  const { client, credentials } = await webhooks.gateway.otherPartner()
  const body = { targetUrl: `${webhooks.receiver.origin}/shut-out`, eventTypes: ['PAYMENT_STATUS' as const] }
  const { id } = await client.createWebhookSubscription({ body })
  const served = await webhooks.subscribe('/served')
  const partners = await listPartnersWithClients(context)
  const whose = (clientId: string) =>
    partners.find(({ clients }) => clients.some((each) => each.clientId === clientId))?.partner
  const [partner, demo] = [whose(credentials.clientId), whose('demo-partner')]
  if (partner === undefined || demo === undefined) {
    throw new Error('The partners are not there')
  }
  await enqueueStatusChange(webhooks.gateway, partner.id)
  await revokePartnerAccess(context, 'test', partner)
  await enqueueStatusChange(webhooks.gateway, partner.id)
  await enqueueStatusChange(webhooks.gateway, demo.id)

  // A worker that begins now knows at once; one at work within five seconds.
  const sweeps = webhookSweeps(context)
  await runSweepsUntilIdle(sweeps)
  const log = async () => await listRecentDeliveries(context, { partnerId: partner.id, id }, {}, 10)
  const lastError = 'The partner is disabled; the endpoint was not called'
  const waiting = { status: 'Queued', attemptsMade: 1, lastError, nextAttemptAt: expect.any(String) }
  expect(await log()).toMatchObject([waiting, waiting])

  for (let hour = 0; hour < 30; hour += 1) {
    await setBusinessTime(context.database, context.clock, context.clock.now().add({ hours: 1 }))
    await runSweepsUntilIdle(sweeps)
  }
  const ended = { status: 'Failed', attemptsMade: 6, lastError, nextAttemptAt: null }
  expect(await log()).toMatchObject([ended, ended])
  const paths = webhooks.receiver.received.map(({ path }) => path)
  expect(paths).toEqual([new URL(served.targetUrl).pathname])
})
