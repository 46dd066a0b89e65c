/** Starts what the documentation assumes: a gateway with the sandbox's bank, FX provider and identity provider. */
import { startGatewayWithFx } from '../fx/fx-provider-fixture.ts'
import { openIdentityProviderFixture } from '../identity/identity-provider-fixture.ts'
import type { TestGateway } from './test-gateway.ts'

/** Receivers of webhooks on this machine, as `npm start` allows them. */
const RECEIVERS = { HAVN_WEBHOOK_HTTP: '1', HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

export type DocumentationGateway = { readonly gateway: TestGateway; close(): Promise<void> }

export async function startDocumentationGateway(): Promise<DocumentationGateway> {
  const identity = await openIdentityProviderFixture()
  const { gateway, close } = await startGatewayWithFx({
    settings: { ...RECEIVERS, ...identity.settings },
  })
  return {
    gateway,
    close: async () => {
      await close()
      await identity.close()
    },
  }
}
