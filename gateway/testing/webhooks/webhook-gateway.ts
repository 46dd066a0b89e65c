/** Runs a gateway together with a partner's endpoints, which it may reach and whose CA it trusts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WebhookSubscriptionWithSecret } from '../../../contract/webhooks/webhook-subscriptions.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../gateway/test-gateway.ts'
import { type ReceiverOptions, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

export type WebhookGateway = {
  readonly gateway: TestGateway
  readonly receiver: WebhookReceiver
  /** Subscribes the demo partner to all events, by default at a path of the receiver's first origin. */
  subscribe(path: string, origin?: string): Promise<WebhookSubscriptionWithSecret>
  close(): Promise<void>
}

export async function startWebhookGateway({
  origins = 1,
  settings = {},
}: Pick<ReceiverOptions, 'origins'> & TestGatewayOptions = {}): Promise<WebhookGateway> {
  const receiver = await startWebhookReceiver({ origins })
  const folder = await mkdtemp(join(tmpdir(), 'havn-webhooks-'))
  const authorityFile = join(folder, 'authority.pem')
  await writeFile(authorityFile, receiver.authority)
  const trusting = { HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', HAVN_WEBHOOK_CA_FILE: authorityFile }
  const gateway = await startTestGateway({ settings: { ...trusting, ...settings } })
  return {
    gateway,
    receiver,
    subscribe: (path, origin = receiver.origin) =>
      gateway.client.createWebhookSubscription({
        body: { targetUrl: `${origin}${path}`, eventTypes: ['PAYMENT_STATUS'] },
      }),
    close: async () => {
      await gateway.close()
      await receiver.close()
      await rm(folder, { recursive: true })
    },
  }
}
