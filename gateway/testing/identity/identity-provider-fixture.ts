/** Starts the sandbox's identity provider for a test, simulates its users and calls its control API. */

import {
  type SandboxIdentityProvider,
  startIdentityProvider,
} from '../../../sandbox/identity-provider/identity-provider.ts'
import { openLog } from '../../platform/observability/log.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../gateway/test-gateway.ts'

/** The user and the decision at the provider; by default Kari of the sample registry. */
export type IdentityProviderUser = {
  readonly decision?: 'sign' | 'reject' | 'leave'
  readonly userId?: string
  readonly given?: string
  readonly family?: string
  readonly birthDate?: string
  readonly nationalId?: string
  /** Separated by spaces; for the workplace only. */
  readonly groups?: string
}

export type IdentityProviderFixture = SandboxIdentityProvider & {
  /** The gateway's settings for it. */
  readonly settings: Readonly<Record<string, string>>
  /** Takes a browser through the provider; returns the callback URL, null when the user left without answering. */
  visit(address: string, visitor?: IdentityProviderUser): Promise<string | null>
  /** Posts to the control API. */
  control(path: string, body: object): Promise<unknown>
  clearFaults(): Promise<void>
}

/** Starts it on a free port, without logging. */
export async function openIdentityProviderFixture(): Promise<IdentityProviderFixture> {
  const log = openLog({ program: 'sandbox-identity', level: 'silent' })
  const provider = await startIdentityProvider({ host: '127.0.0.1', port: 0, controlPort: 0, log })
  const control = async (path: string, body: object) => {
    const response = await fetch(`${provider.controlUrl}/control${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== 200) {
      throw new Error(`The identity provider answered ${response.status}: ${text}`)
    }
    return JSON.parse(text)
  }
  return {
    ...provider,
    settings: { HAVN_SANDBOX_IDENTITY_URL: provider.url, HAVN_SANDBOX_IDENTITY_CONTROL_URL: provider.controlUrl },
    control,
    visit: async (address, { decision = 'sign', userId = 'kari', ...typed } = {}) => {
      const sent = Object(await control('/browser', { address, decision, userId, ...typed }))
      return sent.redirect === null ? null : String(sent.redirect)
    },
    clearFaults: async () => {
      await fetch(`${provider.controlUrl}/control/faults`, { method: 'DELETE' })
    },
  }
}

export type GatewayWithIdentity = {
  readonly gateway: TestGateway
  readonly identity: IdentityProviderFixture
  close(): Promise<void>
}

export async function startGatewayWithIdentity(options: TestGatewayOptions = {}): Promise<GatewayWithIdentity> {
  const identity = await openIdentityProviderFixture()
  const settings = { ...identity.settings, ...options.settings }
  const gateway = await startTestGateway({ ...options, settings })
  return {
    gateway,
    identity,
    close: async () => {
      await gateway.close()
      await identity.close()
    },
  }
}
