/** Runs a whole gateway beside a partner's endpoints, which it may reach and whose authority it trusts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WebhookSubscriptionWithSecret } from '../../../contract/webhooks/webhook-subscriptions.ts'
import { startWholeGateway, type WholeGateway, type WholeGatewayOptions } from '../gateway/test-gateway.ts'
import { type ReceiverOptions, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

export type WebhookGateway = {
  readonly gateway: WholeGateway
  readonly receiver: WebhookReceiver
  /** Subscribes the demo partner to everything, at a path of the receiver's first origin unless told otherwise. */
  subscribe(path: string, origin?: string): Promise<WebhookSubscriptionWithSecret>
  close(): Promise<void>
}

export async function startWebhookGateway({
  origins = 1,
  settings = {},
}: Pick<ReceiverOptions, 'origins'> & WholeGatewayOptions = {}): Promise<WebhookGateway> {
  const receiver = await startWebhookReceiver({ origins })
  const folder = await mkdtemp(join(tmpdir(), 'havn-webhooks-'))
  const authorityFile = join(folder, 'authority.pem')
  await writeFile(authorityFile, receiver.authority)
  const trusting = { HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', HAVN_WEBHOOK_CA_FILE: authorityFile }
  const gateway = await startWholeGateway({ settings: { ...trusting, ...settings } })
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
