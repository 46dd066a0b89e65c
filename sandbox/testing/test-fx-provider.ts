/** Runs the sandbox's FX provider in the test's process, with validated responses, and a client to call it. */
import { openLog } from '../../gateway/platform/observability/log.ts'
import { freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { lightFetch } from '../../gateway/testing/gateway/light-fetch.ts'
import { type FxProviderSettings, type SandboxFxProvider, startSandboxFx } from '../fx/fx-provider.ts'
import { LOGIN } from '../fx/protocol/log-in.ts'
import { fxResponseValidator } from './fx-response-validator.ts'

export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** A provider with a database of its own, and a client with a session. */
export type TestFxProvider = {
  readonly provider: SandboxFxProvider
  readonly connectionString: string
  get(path: string, query?: Readonly<Record<string, string>>): Promise<Answer>
  post(path: string, form?: Readonly<Record<string, string>>): Promise<Answer>
  /** Calls the control API. */
  control(path: string, body?: object, method?: 'GET' | 'POST' | 'DELETE'): Promise<unknown>
  /** Moves business time, and executes what is due by then. */
  moveTo(instant: string): Promise<void>
  /** Restarts the program on the same database. */
  restart(): Promise<void>
  /** Closes it, drops its database, and fails when a response violated the API. */
  close(): Promise<void>
}

/** More than any test makes. */
const CALLS_PER_MINUTE = 1_000_000

/** Starts a validated provider on a database that may exist already. */
export async function openFxProvider(
  connectionString: string,
  changes: Partial<FxProviderSettings> = {},
): Promise<SandboxFxProvider> {
  return await startSandboxFx({
    connectionString,
    host: '127.0.0.1',
    port: 0,
    controlPort: 0,
    log: openLog({ program: 'sandbox-fx', level: 'error' }),
    callsPerMinute: CALLS_PER_MINUTE,
    validate: fxResponseValidator,
    ...changes,
  })
}

/** Fails when a response of the provider violated the API. */
export function requireNoFxViolations(provider: SandboxFxProvider): void {
  const violations = provider.violations()
  if (violations.length > 0) {
    throw new Error(`The sandbox's provider broke its interface:\n${[...new Set(violations)].join('\n')}`)
  }
}

/** Starts a provider on a free port. */
export async function startTestFxProvider(changes: Partial<FxProviderSettings> = {}): Promise<TestFxProvider> {
  const database = await freshDatabase()
  let provider = await openFxProvider(database.connectionString, changes)
  let token = await logIn(provider.url)
  const control: TestFxProvider['control'] = async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const response = await lightFetch(`${provider.controlUrl}/control${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== 200) {
      throw new Error(`The control API answered ${response.status}: ${text}`)
    }
    return JSON.parse(text)
  }
  const ask = async (path: string, init: RequestInit): Promise<Answer> =>
    await answerOf(lightFetch(`${provider.url}/v2${path}`, { ...init, headers: { 'x-auth-token': token } }))
  return {
    get provider() {
      return provider
    },
    connectionString: database.connectionString,
    get: (path, query = {}) => ask(`${path}?${new URLSearchParams(query)}`, {}),
    post: (path, form = {}) => ask(path, { method: 'POST', body: new URLSearchParams(form) }),
    control,
    moveTo: async (instant) => void (await control('/clock', { now: instant })),
    restart: async () => {
      await provider.close()
      requireNoFxViolations(provider)
      provider = await openFxProvider(database.connectionString, changes)
      token = await logIn(provider.url)
    },
    close: async () => {
      await provider.close()
      await database.drop()
      requireNoFxViolations(provider)
    },
  }
}

async function logIn(url: string): Promise<string> {
  const { login_id, api_key } = { login_id: LOGIN.loginId, api_key: LOGIN.apiKey }
  const body = new URLSearchParams({ login_id, api_key })
  const answer = await answerOf(fetch(`${url}/v2/authenticate/api`, { method: 'POST', body }))
  return String(answer.body['auth_token'])
}

async function answerOf(requested: Promise<Response>): Promise<Answer> {
  const response = await requested
  return { status: response.status, body: JSON.parse(await response.text()) }
}
