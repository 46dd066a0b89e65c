/** Runs a complete Havn as `npm start` does, with a partner that may pay from a stub bank account. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bic } from '../../contract/examples/demo-fixture.ts'
import { putBank } from '../../gateway/banks/directory/directory-entry.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../gateway/banks/directory/validate-bank-profile.ts'
import { type Database, openDatabase } from '../../gateway/platform/database/database.ts'
import { freeBankPorts, freePorts } from '../../gateway/testing/gateway/free-ports.ts'
import { acceptedConsent } from '../../gateway/testing/payments/sample-payments.ts'
import { removeEmbeddedPostgres, storedConnectionString } from '../../launcher/embedded-postgres/embedded-postgres.ts'
import { waitUntil } from '../../launcher/processes.ts'
import type { HavnClient } from '../../sdk/index.ts'
import { demoClient } from './demo-client.ts'
import type { StubBank } from './stub-bank.ts'

/** A running Havn. */
export type RunningHavn = {
  /** Its data folder. */
  readonly folder: string
  readonly url: string
  readonly workerUrl: string
  /** The URL of the sandbox bank's pages. */
  readonly bankUrl: string
  /** The URL of the sandbox's FX provider. */
  readonly fxControlUrl: string
  readonly client: HavnClient
  readonly connectionString: string
  readonly database: Database<unknown>
  /** An accepted consent. */
  readonly consentId: string
  readonly masterKeyFile: string
  /** The supervisor process. */
  readonly supervisorPid: number
  /** Stops everything and cleans up. */
  close(): Promise<void>
}

const HAVN = fileURLToPath(new URL('../../cli/havn.ts', import.meta.url))
const READY_MILLISECONDS = 60_000
/** Rate limits are raised: a benchmark must measure the gateway, not its limits. */
const NO_RATE_LIMIT = '100000000'
/** The tables into which every initiation inserts. */
const GROWING_TABLES = ['payments', 'payment_history', 'idempotency']

/** Opens the Havn on which a part is measured, optionally with other settings. */
export type OpenHavn = (settings?: Readonly<Record<string, string>>) => Promise<RunningHavn>

/** Measures on a Havn of its own, optionally with other settings; cleans up, even when it is interrupted. */
export async function measureOnHavn<Figures>(
  open: () => Promise<RunningHavn>,
  measure: (havn: RunningHavn) => Promise<Figures>,
  interrupted: Promise<never>,
): Promise<Figures> {
  const havn = await open()
  try {
    return await Promise.race([measure(havn), interrupted])
  } finally {
    await havn.close()
  }
}

/** Starts everything in a folder, which is emptied before and after; optionally with other settings. */
export async function startHavn(folder: string, settings: Readonly<Record<string, string>> = {}): Promise<RunningHavn> {
  await empty(folder)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const { stop, ...program } = await startProgram(folder, settings)
  const close = async () => {
    await stop()
    await empty(folder)
  }
  try {
    const client = demoClient(program.url)
    const { consentId } = await acceptedConsent({ client })
    const connectionString = (await storedConnectionString(join(folder, 'postgres'))) ?? ''
    const database = openDatabase<unknown>({ connectionString, applicationName: 'havn bench', connectionsMax: 2 })
    const closeAll = () => database.close().then(close)
    const masterKeyFile = join(folder, 'master.key')
    return { ...program, folder, client, connectionString, database, consentId, masterKeyFile, close: closeAll }
  } catch (error) {
    await close()
    throw error
  }
}

/** Replaces the sandbox's bank with the stub; the gateway notices within seconds. */
export async function pointBankToStub(stub: StubBank, { database }: RunningHavn): Promise<void> {
  await putBank(database, await readBankProfiles(BANK_PROFILES_FOLDER), {
    bic,
    name: 'Fjordbanken',
    countryCode: 'NO',
    connector: 'berlin-group',
    profile: 'norwegian-redirect',
    address: `${stub.url}/fjordbanken`,
    linkHosts: [new URL(stub.url).host],
  })
}

/** The day in business time, which an earlier part may have moved. */
export async function todayOf({ client }: Pick<RunningHavn, 'client'>): Promise<Temporal.PlainDate> {
  const { now } = await client.getSandboxClock()
  return Temporal.Instant.from(now).toZonedDateTimeISO('Europe/Oslo').toPlainDate()
}

/** Every measurement begins with the same tables, with so many payments, independent of earlier ones. */
export async function resetPayments({ database }: RunningHavn, payments: number): Promise<void> {
  for (const table of GROWING_TABLES) {
    await database.pool.query(`truncate ${table}`)
    await database.pool.query(`alter table ${table} reset (autovacuum_enabled)`)
  }
  for (const statement of [STORED_PAYMENTS, STORED_HISTORY, STORED_KEYS]) {
    await database.pool.query(statement, [payments])
  }
  await database.pool.query('vacuum analyze payments, payment_history, idempotency')
  await database.pool.query('checkpoint')
}

/** Like a new installation: the tables are empty, were never analysed, and stay so during the measurement. */
export async function emptyPayments({ database }: RunningHavn): Promise<void> {
  for (const table of GROWING_TABLES) {
    await database.pool.query(`truncate ${table}`)
    await database.pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
    await database.pool.query(`delete from pg_statistic where starelid = '${table}'::regclass`)
  }
  await database.pool.query('checkpoint')
}

/** Settled payments of the same partner and another year, which need no processing. */
const STORED_PAYMENTS = `
  insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
    amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, bank_payment_id,
    status, bank_status, signed, notification_token_hash, created_at, status_at, changed_at)
  select p.id, gen_random_uuid(), 'Domestic', gen_random_uuid(), 'FJORNO22', 'NO', '987654325', 'kept-' || n,
    n, 'NOK', '80501100017', '80501200011', '2025-01-02', '{}', 'known', gen_random_uuid(), n::text,
    'Completed', 'ACSC', true, 'hint', t.at, t.at, t.at
  from partners p, generate_series(1, $1::int) n, (values ('2025-01-01T10:00:00Z'::timestamptz)) as t(at)`
const STORED_HISTORY = `
  insert into payment_history (partner_id, payment_id, id, at, status)
  select partner_id, id, id, created_at, status from payments limit $1`
const STORED_KEYS = `
  insert into idempotency (partner_id, operation, key, fingerprint, subject_id, started_at, finished_at, status, answer)
  select partner_id, 'POST /api/v2/payments', id::text, 'fingerprint', id, at, at, 200, sha256('answer')
  from payments, (select clock_timestamp() as at) t limit $1`

type Program = Pick<RunningHavn, 'url' | 'workerUrl' | 'bankUrl' | 'fxControlUrl' | 'supervisorPid'> & {
  readonly stop: () => Promise<void>
}

async function startProgram(folder: string, settings: Readonly<Record<string, string>>): Promise<Program> {
  const ports = await freePorts(8)
  const [port, bankPort, identityPort, identityControlPort, fxPort, fxControlPort, inboxPort, workerPort] = ports
  const xs2aPort = await freeBankPorts()
  const child = spawn(process.execPath, ['--expose-gc', HAVN, 'start'], {
    env: {
      ...process.env,
      HAVN_DATA_DIR: folder,
      HAVN_PORT: String(port),
      HAVN_SANDBOX_BANK_PORT: String(bankPort),
      HAVN_SANDBOX_XS2A_PORT: String(xs2aPort),
      HAVN_SANDBOX_IDENTITY_PORT: String(identityPort),
      HAVN_SANDBOX_IDENTITY_CONTROL_PORT: String(identityControlPort),
      HAVN_SANDBOX_FX_PORT: String(fxPort),
      HAVN_SANDBOX_FX_CONTROL_PORT: String(fxControlPort),
      HAVN_SANDBOX_INBOX_PORT: String(inboxPort),
      HAVN_WORKER_PORT: String(workerPort),
      HAVN_REQUESTS_PER_SECOND: NO_RATE_LIMIT,
      // Makes the process end with its parent in any case.
      npm_lifecycle_event: 'bench',
      ...settings,
    },
    // A separate process group: Ctrl-C reaches the bench, which stops everything in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let reported = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      reported += part
    })
  }
  const ended = once(child, 'exit')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  await waitUntil(async () => reported.includes('Havn is ready') || hasEnded(), READY_MILLISECONDS)
  if (!reported.includes('Havn is ready')) {
    await stop()
    throw new Error(`Havn did not start:\n${reported}`)
  }
  const urls = [port, workerPort, bankPort, fxControlPort].map((at) => `http://127.0.0.1:${at}`)
  const [url = '', workerUrl = '', bankUrl = '', fxControlUrl = ''] = urls
  return { url, workerUrl, bankUrl, fxControlUrl, supervisorPid: child.pid ?? 0, stop }
}

async function empty(folder: string): Promise<void> {
  await removeEmbeddedPostgres(join(folder, 'postgres'))
  await rm(folder, { recursive: true, force: true })
}
