/** Starts the sandbox's identity provider for a test, and does there what its people and its operators would. */

import {
  type SandboxIdentityProvider,
  startIdentityProvider,
} from '../../../sandbox/identity-provider/identity-provider.ts'
import { openLog } from '../../platform/observability/log.ts'
import { startWholeGateway, type WholeGateway, type WholeGatewayOptions } from '../gateway/test-gateway.ts'

/** Who decides what at the provider; Kari of the sample registry unless somebody else is named. */
export type Visitor = {
  readonly decision?: 'sign' | 'reject' | 'leave'
  readonly userId?: string
  readonly given?: string
  readonly family?: string
  readonly birthDate?: string
  readonly nationalId?: string
}

export type IdentityStage = SandboxIdentityProvider & {
  /** Sends a browser through the provider; the address that it is sent back to, null when it left without a word. */
  visit(address: string, visitor?: Visitor): Promise<string | null>
  /** Posts to the control API. */
  control(path: string, body: object): Promise<unknown>
  /** Ends all faults. */
  heal(): Promise<void>
}

/** On a free port, without a log. */
export async function openIdentityStage(): Promise<IdentityStage> {
  const log = openLog({ program: 'sandbox-identity', level: 'silent' })
  const provider = await startIdentityProvider({ host: '127.0.0.1', port: 0, log })
  const control = async (path: string, body: object) => {
    const response = await fetch(`${provider.url}/control${path}`, {
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
    control,
    visit: async (address, { decision = 'sign', userId = 'kari', ...typed } = {}) => {
      const sent = Object(await control('/browser', { address, decision, userId, ...typed }))
      return sent.redirect === null ? null : String(sent.redirect)
    },
    heal: async () => {
      await fetch(`${provider.url}/control/faults`, { method: 'DELETE' })
    },
  }
}

/** A whole gateway whose people identify at a provider of its own. */
export type GatewayWithIdentity = {
  readonly gateway: WholeGateway
  readonly identity: IdentityStage
  close(): Promise<void>
}

/** Starts both; whoever needs no persons starts the gateway alone. */
export async function startGatewayWithIdentity(options: WholeGatewayOptions = {}): Promise<GatewayWithIdentity> {
  const identity = await openIdentityStage()
  const settings = { HAVN_SANDBOX_IDENTITY_URL: identity.url, ...options.settings }
  const gateway = await startWholeGateway({ ...options, settings })
  return {
    gateway,
    identity,
    close: async () => {
      await gateway.close()
      await identity.close()
    },
  }
}
