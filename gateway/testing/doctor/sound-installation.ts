/** A production installation without misconfigurations, which each test damages in one respect. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { HostFacts } from '../../../cli/doctor/check.ts'
import { closeSession } from '../../../cli/doctor/database/open-session.ts'
import { hostFacts } from '../../../cli/doctor/host/host-group.ts'
import { CHECK_GROUPS, inspectInstallation, type ReportedFinding } from '../../../cli/doctor/inspect-installation.ts'
import { openInstallation } from '../../../cli/doctor/run-doctor.ts'
import { generateMasterKeyLine } from '../../platform/crypto/envelope-encryption.ts'
import { type FreshDatabase, freshDatabase } from '../database/fresh-database.ts'
import { type TestCertificates, testCertificates } from '../gateway/test-certificates.ts'

type Settings = Readonly<Record<string, string | undefined>>

/** What differs from the sound installation. */
export type Damage = { readonly settings?: Settings; readonly host?: Partial<HostFacts> }

export type SoundInstallation = {
  readonly database: FreshDatabase
  readonly databaseName: string
  readonly certificates: TestCertificates
  readonly settings: Readonly<Record<string, string>>
  /** Writes a file with a mode, and returns its path. */
  file(name: string, text: string, mode?: number): Promise<string>
  sql(...statements: readonly string[]): Promise<void>
  /** What these groups find; all groups if none is named. */
  findings(groups: readonly string[], damage?: Damage): Promise<readonly ReportedFinding[]>
  remove(): Promise<void>
}

/** Found on every run: the server of the tests is a throw-away, and some data of the release have no newer source. */
export const FOUND_ON_TEST_SERVER = ['data-old', 'database-autovacuum', 'database-fsync']

export async function soundInstallation(): Promise<SoundInstallation> {
  const database = await freshDatabase()
  const databaseName = new URL(database.connectionString).pathname.slice(1)
  const certificates = await testCertificates()
  const folder = await mkdtemp(join(tmpdir(), 'havn-doctor-'))
  const file = async (name: string, text: string, mode = 0o600) => {
    await writeFile(join(folder, name), text, { mode })
    return join(folder, name)
  }
  const sql = (...statements: readonly string[]) => runStatements(database.connectionString, statements)
  await sql(
    `alter database ${databaseName} set synchronous_commit to on`,
    `alter database ${databaseName} set timezone to 'UTC'`,
    ...['gateway', 'worker'].map(
      (role) => `insert into running_processes values (gen_random_uuid(), '${role}', 'host', 1, now(), now())`,
    ),
  )
  const settings = {
    DATABASE_URL: database.connectionString,
    HAVN_MASTER_KEY_FILE: await file('master.key', generateMasterKeyLine('key-1')),
    HAVN_BASE_URL: 'https://havn.nordkontor.no',
    HAVN_TRUST_PROXY: '1',
    HAVN_OPERATOR_PORT: '9090',
    HAVN_TPP_IP_ADDRESS: '8.8.4.4',
  }
  return {
    database,
    databaseName,
    certificates,
    settings,
    file,
    sql,
    findings: (groups, damage = {}) => findingsOf({ settings, groups, damage }),
    remove: async () => {
      await Promise.all([database.drop(), certificates.remove(), rm(folder, { recursive: true })])
    },
  }
}

async function runStatements(connectionString: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    for (const statement of statements) {
      await client.query(statement)
    }
  } finally {
    await client.end()
  }
}

async function findingsOf({
  settings,
  groups,
  damage,
}: {
  readonly settings: Settings
  readonly groups: readonly string[]
  readonly damage: Damage
}): Promise<readonly ReportedFinding[]> {
  const installation = await openInstallation({ ...settings, ...damage.settings }, { ...hostFacts(), ...damage.host })
  const skip = groups.length === 0 ? [] : Object.keys(CHECK_GROUPS).filter((name) => !groups.includes(name))
  try {
    const selection = { offline: false, skip, beforeUpgrade: groups.includes('upgrade') }
    const reports = await inspectInstallation(installation, selection, () => undefined)
    return reports.flatMap(({ findings }) => findings)
  } finally {
    await closeSession(installation.database)
  }
}
