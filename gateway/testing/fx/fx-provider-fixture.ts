/** Starts the sandbox's FX provider for a test, with or without a gateway, and calls its control API. */

import type { SandboxFxProvider } from '../../../sandbox/fx/fx-provider.ts'
import { NOTIFICATION_KEY } from '../../../sandbox/fx/notifications.ts'
import { LOGIN } from '../../../sandbox/fx/protocol/log-in.ts'
import { openFxProvider, requireNoFxViolations } from '../../../sandbox/testing/test-fx-provider.ts'
import { FX_NOTIFICATIONS_PATH } from '../../fx/notification-routes.ts'
import { freshDatabase } from '../database/fresh-database.ts'
import { lightFetch } from '../gateway/light-fetch.ts'
import { FIRST_MORNING } from '../gateway/start-on-bank-day.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../gateway/test-gateway.ts'

export type FxProviderFixture = {
  /** Base URL of the public API (below `/v2`). */
  readonly url: string
  /** Base URL of the control API. */
  readonly controlUrl: string
  /** The gateway's settings for it. */
  readonly settings: Readonly<Record<string, string>>
  /** Calls the control API: GET without a body, POST with one. */
  control(path: string, body?: object): Promise<unknown>
  /** Injects a fault; `sandbox/fx/faults.ts` lists them. */
  fault(effect: string, detail?: object): Promise<void>
  clearFaults(): Promise<void>
  /** Number of calls per operation, e.g. `POST /conversions/create`. */
  calls(): Promise<Readonly<Record<string, number>>>
  /** Restarts it at the same address with the same database. */
  restart(): Promise<void>
  /** Stops it and leaves its database. */
  stop(): Promise<void>
  /** Stops it and drops its database. Throws when an answer violated the API. */
  close(): Promise<void>
}

const CALLS_PER_MINUTE = '1000000'

/** Starts it on a free port with a new database, at the time of a test's gateway. */
export async function openFxProviderFixture(): Promise<FxProviderFixture> {
  const database = await freshDatabase()
  let provider: SandboxFxProvider = await openFxProvider(database.connectionString)
  const { url, controlUrl } = provider
  const ports = { port: Number(new URL(url).port), controlPort: Number(new URL(controlUrl).port) }
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await lightFetch(`${controlUrl}/control${path}`, init)
    const text = await response.text()
    if (response.status !== 200) {
      throw new Error(`The FX provider answered ${response.status}: ${text}`)
    }
    return JSON.parse(text)
  }
  const control: FxProviderFixture['control'] = (path, body) =>
    body === undefined
      ? ask(path)
      : ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  await control('/clock', { now: FIRST_MORNING.toString() })
  return {
    url,
    controlUrl,
    settings: fxSettings(url, controlUrl),
    control,
    fault: async (effect, detail = {}) => void (await control('/faults', { effect, ...detail })),
    clearFaults: async () => void (await ask('/faults', { method: 'DELETE' })),
    calls: async () =>
      Object.fromEntries(Object.entries(Object(await control('/calls'))).map(([name, count]) => [name, Number(count)])),
    restart: async () => {
      await provider.close()
      requireNoFxViolations(provider)
      provider = await openFxProvider(database.connectionString, ports)
    },
    stop: () => provider.close(),
    close: async () => {
      await provider.close()
      await database.drop()
      requireNoFxViolations(provider)
    },
  }
}

/** The settings of a gateway for the sandbox's provider. */
function fxSettings(url: string, controlUrl: string): Readonly<Record<string, string>> {
  return {
    HAVN_FX_PROVIDER: 'currencycloud',
    HAVN_FX_URL: url,
    HAVN_FX_LOGIN_ID: LOGIN.loginId,
    HAVN_FX_API_KEY: LOGIN.apiKey,
    HAVN_FX_NOTIFICATION_KEY: NOTIFICATION_KEY,
    HAVN_FX_CALLS_PER_MINUTE: CALLS_PER_MINUTE,
    HAVN_FX_RATE_CALLS_PER_MINUTE: CALLS_PER_MINUTE,
    HAVN_SANDBOX_FX_URL: controlUrl,
  }
}

/** A gateway with an FX provider. */
export type GatewayWithFx = {
  readonly gateway: TestGateway
  readonly fx: FxProviderFixture
  close(): Promise<void>
}

/** Starts both; the sandbox bank reports payments to the provider's accounts to the provider. */
export async function startGatewayWithFx(options: TestGatewayOptions = {}): Promise<GatewayWithFx> {
  const fx = await openFxProviderFixture()
  const settings = { ...fx.settings, ...options.settings }
  const gateway = await startTestGateway({ ...options, fxUrl: fx.controlUrl, settings })
  await fx.control('/notice-address', { url: `${gateway.url}${FX_NOTIFICATIONS_PATH}` })
  return {
    gateway,
    fx,
    close: async () => {
      await gateway.close()
      await fx.close()
    },
  }
}
