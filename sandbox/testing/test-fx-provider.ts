/** Runs the sandbox's provider of exchange in the test's own process, judged by its interface, and speaks to it as a client would. */
import { openLog } from '../../gateway/platform/observability/log.ts'
import { freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { type FxProviderSettings, type SandboxFxProvider, startSandboxFx } from '../fx/fx-provider.ts'
import { LOGIN } from '../fx/protocol/log-in.ts'
import { fxJudge } from './fx-response-validator.ts'

export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** A provider on a database of its own, and one who has logged in there. */
export type FxForTests = {
  readonly provider: SandboxFxProvider
  readonly connectionString: string
  get(path: string, query?: Readonly<Record<string, string>>): Promise<Answer>
  post(path: string, form?: Readonly<Record<string, string>>): Promise<Answer>
  /** The control API. */
  control(path: string, body?: object, method?: 'GET' | 'POST' | 'DELETE'): Promise<unknown>
  /** Moves business time, and lets happen what falls due by then. */
  moveTo(instant: string): Promise<void>
  /** Ends the program and starts it again on the same books. */
  restart(): Promise<void>
  /** Closes it, drops its database, and fails when any of its answers broke the interface. */
  close(): Promise<void>
}

/** More than any test calls. */
const CALLS_PER_MINUTE = 1_000_000

/** Starts a judged provider on a database that may have served one before. */
export async function openFx(
  connectionString: string,
  changes: Partial<FxProviderSettings> = {},
): Promise<SandboxFxProvider> {
  return await startSandboxFx({
    connectionString,
    host: '127.0.0.1',
    port: 0,
    log: openLog({ program: 'sandbox-fx', level: 'error' }),
    callsPerMinute: CALLS_PER_MINUTE,
    judge: fxJudge,
    ...changes,
  })
}

/** Fails when the provider gave an answer that its interface does not allow. */
export function requireSoundAnswers(provider: SandboxFxProvider): void {
  const violations = provider.violations()
  if (violations.length > 0) {
    throw new Error(`The sandbox's provider broke its interface:\n${[...new Set(violations)].join('\n')}`)
  }
}

/** Starts one on a free port. */
export async function startFxForTests(changes: Partial<FxProviderSettings> = {}): Promise<FxForTests> {
  const database = await freshDatabase()
  let provider = await openFx(database.connectionString, changes)
  let token = await logIn(provider.url)
  const control: FxForTests['control'] = async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const response = await fetch(`${provider.url}/control${path}`, {
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
    await answerOf(fetch(`${provider.url}/v2${path}`, { ...init, headers: { 'x-auth-token': token } }))
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
      requireSoundAnswers(provider)
      provider = await openFx(database.connectionString, changes)
      token = await logIn(provider.url)
    },
    close: async () => {
      await provider.close()
      await database.drop()
      requireSoundAnswers(provider)
    },
  }
}

async function logIn(url: string): Promise<string> {
  const { login_id, api_key } = { login_id: LOGIN.loginId, api_key: LOGIN.apiKey }
  const body = new URLSearchParams({ login_id, api_key })
  const answer = await answerOf(fetch(`${url}/v2/authenticate/api`, { method: 'POST', body }))
  return String(answer.body['auth_token'])
}

async function answerOf(asked: Promise<Response>): Promise<Answer> {
  const response = await asked
  return { status: response.status, body: JSON.parse(await response.text()) }
}
