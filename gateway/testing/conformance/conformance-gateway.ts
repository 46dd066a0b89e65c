/** Starts a gateway with exchange for the conformance checks: it may call receivers on this machine, and due work runs by itself. */
import { setTimeout as delay } from 'node:timers/promises'
import type { TargetOptions } from '../../../conformance/http/exchange.ts'
import { scopesByEnvironment } from '../../../contract/environments.ts'
import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import { startGatewayWithFx } from '../fx/fx-provider-fixture.ts'
import { lightFetch } from '../gateway/light-fetch.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

export type ConformanceGateway = {
  readonly gateway: TestGateway
  /** Its options as a target; a proxy in front of it has another URL. */
  targetAt(url: string): TargetOptions
  close(): Promise<void>
}

/** How often the worker's part looks for due work: four times as often, looking took a tenth of the whole run. */
const PAUSE_MILLISECONDS = 1_000
/** A check waits for several looks, on a slow and busy machine. */
const PATIENCE_SECONDS = 30

/** In long runs every operation is sent every form of a mistake. */
const isShort = Number(process.env['HAVN_CONFORMANCE_FORMS'] ?? 0) === 0

export async function startConformanceGateway(): Promise<ConformanceGateway> {
  const settings = { HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', HAVN_WEBHOOK_HTTP: '1' }
  const { gateway, close } = await startGatewayWithFx({ settings })
  // Puts the provider's clock in step with that of the gateway and its bank.
  await gateway.client.moveSandboxClock({ body: { advance: 'PT1S' } })
  const { credentials: otherPartner } = await gateway.otherPartner()
  const stopping = new AbortController()
  const working = runDueWork(gateway, stopping.signal)
  return {
    gateway,
    targetAt: (url) => ({
      baseUrl: url,
      authUrl: url,
      onboardingUrl: url,
      credentials: demoCredentials,
      otherPartner,
      scope: scopesByEnvironment.sandbox,
      callbackUrl: 'http://127.0.0.1:9/back',
      patienceSeconds: PATIENCE_SECONDS,
      psuIpAddress: '127.0.0.1',
      isShort,
      fetch: lightFetch,
    }),
    close: async () => {
      stopping.abort()
      await working
      await close()
    },
  }
}

/** In the place of a worker. */
async function runDueWork({ sweep }: TestGateway, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sweep()
    await delay(PAUSE_MILLISECONDS, undefined, { signal }).catch(() => undefined)
  }
}
