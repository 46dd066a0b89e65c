/** Starts the sandbox's provider of exchange for a test, beside a whole gateway or alone, and does there what nobody asks for. */

import type { SandboxFxProvider } from '../../../sandbox/fx/fx-provider.ts'
import { NOTICE_KEY } from '../../../sandbox/fx/notifications/deliver-notifications.ts'
import { LOGIN } from '../../../sandbox/fx/protocol/log-in.ts'
import { openFx, requireSoundAnswers } from '../../../sandbox/testing/test-fx-provider.ts'
import { FX_NOTICES_PATH } from '../../fx/notice-routes.ts'
import { freshDatabase } from '../database/fresh-database.ts'
import { startWholeGateway, type WholeGateway, type WholeGatewayOptions } from '../gateway/test-gateway.ts'

export type FxStage = {
  /** Public interface (below `/v2`) and control API. */
  readonly url: string
  /** What a gateway needs to know of it. */
  readonly settings: Readonly<Record<string, string>>
  /** The control API: reads without a body, posts with one. */
  control(path: string, body?: object): Promise<unknown>
  /** Lets something go wrong; `sandbox/fx/faults.ts` lists what. */
  fault(effect: string, detail?: object): Promise<void>
  /** Ends all faults. */
  heal(): Promise<void>
  /** How often each operation was called so far, e.g. `POST /conversions/create`. */
  calls(): Promise<Readonly<Record<string, number>>>
  /** Ends the program and starts it again at the same address on the same books. */
  restart(): Promise<void>
  /** Ends the program; its books stay. */
  stop(): Promise<void>
  /** Ends it and drops its database; fails when an answer broke the interface. */
  close(): Promise<void>
}

const CALLS_PER_MINUTE = '1000000'

/** On a free port and a database of its own. */
export async function openFxStage(): Promise<FxStage> {
  const database = await freshDatabase()
  let provider: SandboxFxProvider = await openFx(database.connectionString)
  const { url } = provider
  const port = Number(new URL(url).port)
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(`${url}/control${path}`, init)
    const text = await response.text()
    if (response.status !== 200) {
      throw new Error(`The provider of exchange answered ${response.status}: ${text}`)
    }
    return JSON.parse(text)
  }
  const control: FxStage['control'] = (path, body) =>
    body === undefined
      ? ask(path)
      : ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    url,
    settings: fxSettings(url),
    control,
    fault: async (effect, detail = {}) => void (await control('/faults', { effect, ...detail })),
    heal: async () => void (await ask('/faults', { method: 'DELETE' })),
    calls: async () =>
      Object.fromEntries(Object.entries(Object(await control('/calls'))).map(([name, count]) => [name, Number(count)])),
    restart: async () => {
      await provider.close()
      requireSoundAnswers(provider)
      provider = await openFx(database.connectionString, { port })
    },
    stop: () => provider.close(),
    close: async () => {
      await provider.close()
      await database.drop()
      requireSoundAnswers(provider)
    },
  }
}

/** The settings by which a gateway uses a provider of the sandbox. */
function fxSettings(url: string): Readonly<Record<string, string>> {
  return {
    HAVN_FX_PROVIDER: 'currencycloud',
    HAVN_FX_URL: url,
    HAVN_FX_LOGIN_ID: LOGIN.loginId,
    HAVN_FX_API_KEY: LOGIN.apiKey,
    HAVN_FX_NOTIFICATION_KEY: NOTICE_KEY,
    HAVN_FX_CALLS_PER_MINUTE: CALLS_PER_MINUTE,
    HAVN_FX_RATE_CALLS_PER_MINUTE: CALLS_PER_MINUTE,
    HAVN_SANDBOX_FX_URL: url,
  }
}

/** A whole gateway with a provider of exchange. */
export type GatewayWithFx = {
  readonly gateway: WholeGateway
  readonly fx: FxStage
  close(): Promise<void>
}

/** Starts both, knowing each other; the sandbox bank tells the provider what is paid to its accounts. */
export async function startGatewayWithFx(options: WholeGatewayOptions = {}): Promise<GatewayWithFx> {
  const fx = await openFxStage()
  const settings = { ...fx.settings, ...options.settings }
  const gateway = await startWholeGateway({ ...options, fxUrl: fx.url, settings })
  await fx.control('/notice-address', { url: `${gateway.url}${FX_NOTICES_PATH}` })
  return {
    gateway,
    fx,
    close: async () => {
      await gateway.close()
      await fx.close()
    },
  }
}
