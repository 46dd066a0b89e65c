/** Runs a complete Havn as `npm start` does, with a partner that may pay from a stub bank account. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bic } from '../../contract/examples/demo-fixture.ts'
import { putBank } from '../../gateway/banks/directory/directory-entry.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../gateway/banks/directory/validate-bank-profile.ts'
import { type Database, openDatabase } from '../../gateway/platform/database/database.ts'
import { freePorts } from '../../gateway/testing/gateway/free-ports.ts'
import { sandboxClient } from '../../gateway/testing/gateway/sandbox-client.ts'
import { freeStartPorts, startHavn as startPrograms } from '../../gateway/testing/gateway/start-havn.ts'
import { acceptedConsent } from '../../gateway/testing/payments/sample-payments.ts'
import { removeEmbeddedPostgres, storedConnectionString } from '../../launcher/embedded-postgres/embedded-postgres.ts'
import type { HavnClient } from '../../sdk/index.ts'
import type { StubBank } from './stub-bank.ts'

export type RunningHavn = {
  /** Of its data. */
  readonly folder: string
  readonly url: string
  readonly workerUrl: string
  /** Of the sandbox bank's pages. */
  readonly bankUrl: string
  readonly fxControlUrl: string
  readonly client: HavnClient
  readonly connectionString: string
  readonly database: Database<unknown>
  /** An accepted consent. */
  readonly consentId: string
  readonly masterKeyFile: string
  readonly supervisorPid: number
  /** Also empties the folder. */
  close(): Promise<void>
}

/** A move of business time passes through many status requests for hundreds of orders. */
const TIMEOUT_SECONDS = 600
/** Rate limits are raised: a benchmark must measure the gateway, not its limits. */
const NO_RATE_LIMIT = '100000000'
/** The tables into which every initiation inserts. */
const GROWING_TABLES = ['payments', 'payment_history', 'idempotency']

/** Starts everything in a folder, which is emptied before and after; optionally with other settings. */
export async function startHavn(folder: string, settings: Readonly<Record<string, string>> = {}): Promise<RunningHavn> {
  await empty(folder)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const [workerPort = 0] = await freePorts(1)
  const { settings: ports, ...urls } = await freeStartPorts()
  const environment = {
    ...process.env,
    ...ports,
    HAVN_WORKER_PORT: String(workerPort),
    HAVN_DATA_DIR: folder,
    HAVN_REQUESTS_PER_SECOND: NO_RATE_LIMIT,
    // Makes the process end with its parent in any case.
    npm_lifecycle_event: 'bench',
    ...settings,
  }
  // Ctrl-C reaches the bench, which stops everything in order.
  const { pid: supervisorPid, stop } = await startPrograms(environment, { detached: true })
  const close = async () => {
    await stop()
    await empty(folder)
  }
  try {
    const client = sandboxClient(urls.url, { timeoutSeconds: TIMEOUT_SECONDS })
    const { consentId } = await acceptedConsent({ client })
    const connectionString = (await storedConnectionString(join(folder, 'postgres'))) ?? ''
    const database = openDatabase<unknown>({ connectionString, applicationName: 'havn bench', connectionsMax: 2 })
    return {
      ...{ ...urls, workerUrl: `http://127.0.0.1:${workerPort}`, supervisorPid, folder, client, consentId },
      ...{ connectionString, database, masterKeyFile: join(folder, 'master.key') },
      close: () => database.close().then(close),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Moves a Norwegian bank of the sandbox to another address; the gateway notices within seconds. */
export async function moveBank(
  { database }: RunningHavn,
  bank: { readonly bic: string; readonly name: string },
  address: string,
): Promise<void> {
  const dialect = { countryCode: 'NO', connector: 'berlin-group', profile: 'norwegian-redirect' } as const
  const linkHosts = [new URL(address).host]
  await putBank(database, await readBankProfiles(BANK_PROFILES_FOLDER), { ...bank, ...dialect, address, linkHosts })
}

export async function pointBankToStub(stub: StubBank, havn: RunningHavn): Promise<void> {
  await moveBank(havn, { bic, name: 'Fjordbanken' }, `${stub.url}/fjordbanken`)
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

async function empty(folder: string): Promise<void> {
  await removeEmbeddedPostgres(join(folder, 'postgres'))
  await rm(folder, { recursive: true, force: true })
}
