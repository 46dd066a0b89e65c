/** Runs a gateway in the test's process: fresh database, validated sandbox bank, HTTP server, and jobs on demand. */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import { composeServer } from '../../../launcher/roles/compose-server.ts'
import { composeSweeps } from '../../../launcher/roles/compose-sweeps.ts'
import { openContext } from '../../../launcher/roles/open-context.ts'
import { inboxListener } from '../../../launcher/roles/start-process-role.ts'
import type { SandboxBank, SandboxBankSettings } from '../../../sandbox/bank/bank.ts'
import type { BankFixture } from '../../../sandbox/bank/fixture.ts'
import type { MtlsSettings } from '../../../sandbox/bank/identity/mtls-server.ts'
import { openBank, requireNoViolations } from '../../../sandbox/testing/test-bank.ts'
import { createHavnClient, type HavnClient } from '../../../sdk/index.ts'
import { type Credentials, createPartner } from '../../auth/create-partner.ts'
import { ensureTokenKey } from '../../auth/token-key.ts'
import { addCompany } from '../../companies/add-company.ts'
import { type Config, readConfig } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { checkLedger } from '../../fx/ledger/ledger.ts'
import { type MovableClock, movableClock, wallMilliseconds } from '../../platform/clock.ts'
import { generateMasterKeyLine } from '../../platform/crypto/envelope-encryption.ts'
import { createDueSweepsReader } from '../../platform/jobs/due-time-watcher.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { openLog } from '../../platform/observability/log.ts'
import { createDemoPartner } from '../../simulation/demo-fixture.ts'
import { insertSandboxBanks } from '../banks/insert-sandbox-banks.ts'
import { checkResponse } from '../contract/check-response.ts'
import { freshDatabase } from '../database/fresh-database.ts'
import { pooledUrl } from '../database/pooled-url.ts'
import { releaseParts } from '../release-parts.ts'
import { freePorts } from './free-ports.ts'
import { lightFetch } from './light-fetch.ts'
import { startOnBankDay } from './start-on-bank-day.ts'

/** A running gateway with its environment. */
export type TestGateway = {
  readonly url: string
  readonly config: Config
  readonly context: Context
  readonly bank: SandboxBank
  readonly connectionString: string
  /** The demo partner's client; every answer is checked against the contract. */
  readonly client: HavnClient
  /** `fetch` for paths of the gateway; answers are checked against the contract. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** An access token of the demo partner. */
  token(): Promise<string>
  /** Creates another partner, optionally with a company of the demo number. */
  otherPartner(options?: PartnerOptions): Promise<{ client: HavnClient; credentials: Credentials }>
  /** Runs all due jobs, as the worker would; returns how many rows they processed. */
  sweep(): Promise<number>
  readonly sweeps: readonly Sweep[]
  /** Lets wall time pass in the gateway: what it has cached is read again. The sandbox bank's time does not pass. */
  passWallTime(seconds: number): void
  logLines(): readonly string[]
  /** Closes everything. Throws when an answer violated the contract or the standard, or the ledger does not balance. */
  close(): Promise<void>
}

type PartnerOptions = { readonly withCompany: boolean; readonly callbackOrigins?: readonly string[] }

export type TestGatewayOptions = {
  readonly settings?: Readonly<Record<string, string>>
  /** The certificates that the sandbox bank requires; without them it uses plain http. */
  readonly trust?: MtlsSettings
  /** Control URL of the FX provider, to which the bank reports payments to the provider's accounts. */
  readonly fxUrl?: string
  /** Sandbox banks with other settings. */
  readonly fixture?: BankFixture
  /** After this long a clock move answers and continues in the background; by default never. */
  readonly clockAnswerMilliseconds?: number
}

/** By default tests wait for the end of a clock move. */
const NO_CLOCK_LIMIT = 3_600_000
/** A test sees every answer, and sends the idempotency keys that it means to send. */
const CLIENT = { environment: 'sandbox', maxRetries: 0 } as const

/** Starts everything on free ports, with the clock on a morning on which all banks are open. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = await freshDatabase()
  await startOnBankDay(database.connectionString)
  const bank = await openBank(database.connectionString, bankSettingsOf(options))
  const folder = await mkdtemp(join(tmpdir(), 'havn-gateway-'))
  const lines: string[] = []
  const config = await configOf(database.connectionString, bank, folder, options.settings ?? {})
  const log = openLog({ program: 'gateway', level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const { clock, passWallTime } = clockThatPasses()
  const { context, close } = await openContext(config, log, { program: 'havn test', processMetrics: false, clock })
  await insertFixture(context, bank)
  const server = await composeServer(context, {
    answerMilliseconds: options.clockAnswerMilliseconds ?? NO_CLOCK_LIMIT,
    // A test leaves a move unfinished only to see who completes it.
    resumeEveryMilliseconds: NO_CLOCK_LIMIT,
  })
  await listen(server, context)
  const violations: string[] = []
  const validatedFetch = validatingFetch(config.baseUrl, violations)
  const clientOf = (credentials: Credentials) =>
    createHavnClient({ ...CLIENT, baseUrl: config.baseUrl, fetch: validatedFetch, ...credentials })
  const client = clientOf(demoCredentials)
  const sweeps = composeSweeps(context)
  const readDueSweeps = createDueSweepsReader(context, sweeps)
  const gateway: TestGateway = {
    url: config.baseUrl,
    config,
    context,
    bank,
    connectionString: database.connectionString,
    client,
    sweeps,
    fetch: (path, init) => validatedFetch(`${config.baseUrl}${path}`, init),
    token: async () => (await tokenOf(client)).access_token,
    otherPartner: async (wanted = { withCompany: true }) => {
      const credentials = await addPartner(context, wanted)
      return { client: clientOf(credentials), credentials }
    },
    sweep: () => runSweepsUntilIdle(readDueSweeps),
    passWallTime,
    logLines: () => lines,
    close: async () => {
      await server.close()
      // Without a provider no test exchanges currencies.
      const unbalanced = context.fx === null ? [] : await checkLedger(context.database)
      await close()
      await bank.close()
      await database.drop()
      await rm(folder, { recursive: true })
      lines.length = 0
      releaseParts(gateway)
      requireNoViolations(bank)
      requireCleanRun(unbalanced, violations)
    },
  }
  return gateway
}

/** The demo partner, and the banks of the sandbox. */
async function insertFixture(context: Context, bank: SandboxBank): Promise<void> {
  await ensureTokenKey(context)
  await insertSandboxBanks(context, bank)
  await createDemoPartner(context)
}

function clockThatPasses(): { readonly clock: MovableClock } & Pick<TestGateway, 'passWallTime'> {
  let passedMilliseconds = 0
  return {
    clock: movableClock(() => wallMilliseconds() + passedMilliseconds),
    passWallTime: (seconds) => {
      passedMilliseconds += seconds * 1_000
    },
  }
}

function bankSettingsOf({ trust, fxUrl, fixture }: TestGatewayOptions): Partial<SandboxBankSettings> {
  return {
    ...(trust === undefined ? {} : { trust }),
    ...(fxUrl === undefined ? {} : { fxUrl }),
    ...(fixture === undefined ? {} : { fixture }),
  }
}

async function listen(server: FastifyInstance, context: Context): Promise<void> {
  const { host, port } = context.config
  for (const inbox of await inboxListener(context)) {
    server.addHook('onClose', () => inbox.server.close())
    await inbox.server.listen({ host, port: inbox.port })
  }
  await server.listen({ host, port })
}

function requireCleanRun(unbalanced: Awaited<ReturnType<typeof checkLedger>>, violations: readonly string[]): void {
  if (unbalanced.length > 0) {
    throw new Error(`The ledger does not balance: ${unbalanced.map(({ id, what }) => `${id} ${what}`).join('; ')}`)
  }
  if (violations.length > 0) {
    throw new Error(`The gateway violated its contract:\n${violations.join('\n')}`)
  }
}

async function addPartner(
  context: Context,
  { withCompany, callbackOrigins = [] }: PartnerOptions,
): Promise<Credentials> {
  const wanted = { name: randomBytes(6).toString('hex'), callbackOrigins }
  const { partner, credentials } = await createPartner(context, 'test', wanted)
  if (withCompany) {
    const company = { countryCode: 'NO', organisationNumber: '987654325', name: 'Nordlys Handel AS' }
    await addCompany(context, 'test', { partnerId: partner.id, ...company })
  }
  return credentials
}

/** Requests a token like any partner, with the sandbox's well-known scope. */
function tokenOf(client: HavnClient) {
  const scope = 'api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default'
  return client.issueToken({
    body: {
      grant_type: 'client_credentials',
      scope,
      client_id: demoCredentials.clientId,
      client_secret: demoCredentials.clientSecret,
    },
  })
}

async function configOf(
  connectionString: string,
  bank: SandboxBank,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Config> {
  const [port, inboxPort] = await freePorts(2)
  const masterKeyFile = join(folder, 'master.key')
  await writeFile(masterKeyFile, generateMasterKeyLine('test'))
  return readConfig({
    HAVN_MODE: 'sandbox',
    DATABASE_URL: pooledUrl(connectionString),
    HAVN_MASTER_KEY_FILE: masterKeyFile,
    HAVN_PORT: String(port),
    HAVN_SANDBOX_BANK_URL: bank.pagesUrl,
    HAVN_SANDBOX_XS2A_URL: bank.xs2aUrl,
    HAVN_SANDBOX_INBOX_URL: `http://127.0.0.1:${inboxPort}`,
    HAVN_REQUESTS_PER_SECOND: '1000',
    HAVN_TOKEN_REQUESTS_PER_MINUTE: '1000',
    ...settings,
  })
}

function validatingFetch(baseUrl: string, violations: string[]): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const response = await lightFetch(input, init)
    if (url.href.startsWith(baseUrl)) {
      const text = await response.clone().text()
      const { status, headers } = response
      const answer = { method: init?.method ?? 'GET', path: url.pathname, status, headers, text }
      violations.push(...checkResponse(answer))
    }
    return response
  }
}
