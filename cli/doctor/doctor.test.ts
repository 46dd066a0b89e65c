/** Damages a sound installation in one respect after the other, and requires the finding of each. */

import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenKeyPurpose } from '../../gateway/auth/token-key.ts'
import { inspectConfig } from '../../gateway/config/config.ts'
import {
  createSeal,
  generateMasterKeyLine,
  parseMasterKeys,
} from '../../gateway/platform/crypto/envelope-encryption.ts'
import { type PoolMode, storeSessionSettings } from '../../gateway/platform/database/pool-mode.ts'
import { readTimeline } from '../../gateway/platform/database/timeline.ts'
import {
  type Damage,
  FOUND_ON_TEST_SERVER,
  type SoundInstallation,
  soundInstallation,
} from '../../gateway/testing/doctor/sound-installation.ts'
import { startTransactionPooler } from '../../gateway/testing/doctor/transaction-pooler.ts'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { UNKNOWN_HOST } from '../../gateway/testing/unknown-host.ts'
import { databaseGroup } from './database/database-group.ts'
import { closeSession, openSession } from './database/open-session.ts'
import { findingsOfPooler, poolerFindings } from './database/pooler-findings.ts'
import { findingsOfTimeline } from './database/schema-findings.ts'
import { readDatabaseFacts, serverFindings } from './database/server-findings.ts'
import { hostFacts } from './host/host-group.ts'

let sound: SoundInstallation
beforeAll(async () => {
  sound = await soundInstallation()
})
afterAll(() => sound.remove())

const found = async (groups: readonly string[], damage: Damage) =>
  (await sound.findings(groups, damage)).filter(({ check }) => !FOUND_ON_TEST_SERVER.includes(check))

const SOUND_POOLER = {
  databasePoolMode: 'detect',
  databaseListenUrl: 'postgres://db.internal/havn',
  sharesConnections: true,
  isPreparing: true,
  differing: [],
} as const

/** As `havn migrate` does through a pooler. */
async function storeSettings(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await storeSessionSettings(client)
  await client.end()
}

describe('a sound installation', () => {
  it('has no findings but those of the server of the tests', async () => {
    const findings = await sound.findings(['settings', 'files', 'database', 'host'])
    expect(findings.map(({ check }) => check).toSorted()).toEqual(FOUND_ON_TEST_SERVER)
  })
})

describe('settings', () => {
  const rows: readonly (readonly [check: string, settings: Record<string, string | undefined>, names: string])[] = [
    ['setting-invalid', { HAVN_PORT: 'x' }, 'HAVN_PORT'],
    ['setting-invalid', { HAVN_BASE_URL: 'http://havn.nordkontor.no' }, 'HAVN_BASE_URL must start with https://'],
    ['worker-setting-missing', { HAVN_TPP_IP_ADDRESS: undefined }, 'HAVN_TPP_IP_ADDRESS'],
    ['setting-unknown', { HAVN_BASEURL: 'x' }, 'Rename it to HAVN_BASE_URL'],
    ['setting-unknown', { HAVN_SOMETHING_ELSE_ENTIRELY: 'x' }, 'Remove HAVN_SOMETHING_ELSE_ENTIRELY'],
    ['base-url-path', { HAVN_BASE_URL: 'https://nordkontor.no/havn' }, 'HAVN_BASE_URL=https://nordkontor.no'],
    ['base-url-path', { HAVN_AUTH_URL: 'https://nordkontor.no/auth' }, 'HAVN_AUTH_URL'],
    ['base-url-query', { HAVN_BASE_URL: 'https://havn.nordkontor.no?x=1' }, 'query'],
    ['base-url-private', { HAVN_BASE_URL: 'https://127.0.0.1:8080' }, '127.0.0.1'],
    ['base-url-private', { HAVN_BASE_URL: 'https://gateway' }, 'gateway'],
    ['sandbox-public', { HAVN_MODE: 'sandbox' }, 'havn.nordkontor.no'],
    ['proxy-not-trusted', { HAVN_TRUST_PROXY: '0' }, 'HAVN_TRUST_PROXY'],
    ['operator-port-missing', { HAVN_OPERATOR_PORT: undefined }, '/metrics'],
    ['operator-port-public', { HAVN_OPERATOR_PORT: '8080' }, '8080'],
    ['log-level', { HAVN_LOG_LEVEL: 'warn' }, 'does not name orders'],
    ['bank-timeout-short', { HAVN_BANK_ANSWER_TIMEOUT_SECONDS: '3' }, '3 seconds'],
    ['request-log-size', { HAVN_REQUEST_LOG_MEGABYTES_MAX: '900000' }, '900000 MB'],
    ['open-files', { HAVN_CONNECTIONS_MAX: '999999999' }, 'HAVN_CONNECTIONS_MAX'],
  ]
  it.each(rows)('%s is found with %j', async (check, settings, names) => {
    const findings = await found(['settings'], { settings })
    expect([...new Set(findings.map((one) => one.check))]).toEqual([check])
    expect(JSON.stringify(findings)).toContain(names)
  })

  it('are reported together, not only the first error', async () => {
    const settings = { HAVN_PORT: 'x', HAVN_MASTER_KEY_FILE: undefined, HAVN_FX_PROVIDER: 'other' }
    const findings = await found(['settings'], { settings })
    expect(findings.map(({ where }) => where).toSorted()).toEqual([
      'HAVN_FX_PROVIDER',
      'HAVN_MASTER_KEY_FILE',
      'HAVN_PORT',
    ])
  })
})

describe('files and keys', () => {
  const rows: readonly (readonly [check: string, damage: () => Promise<Record<string, string>>, names: string])[] = [
    ['file-unreadable', async () => ({ HAVN_BANK_CA_FILE: '/nowhere/ca.pem' }), '/nowhere/ca.pem'],
    ['file-unreadable', async () => ({ HAVN_MASTER_KEY_FILE: '/nowhere/master.key' }), 'HAVN_MASTER_KEY_FILE'],
    ['key-file-readable', () => keyFile(generateMasterKeyLine('key-1'), 0o644), 'chmod 600'],
    ['key-file-writable', () => keyFile(generateMasterKeyLine('key-1'), 0o620), 'mode 620'],
    ['master-key-invalid', () => keyFile('a password', 0o600), 'id:base64'],
    ['master-key-weak', () => keyFile(`key-1:${Buffer.alloc(32, 'ab').toString('base64')}`, 0o600), 'guessed'],
    [
      'bank-profile-invalid',
      async () => {
        await sound.file('my-bank.json', '{"name": "my-bank"}')
        return { HAVN_BANK_PROFILES_DIR: (await sound.file('other', '')).replace(/other$/, '') }
      },
      'my-bank',
    ],
    ['bank-profile-invalid', async () => ({ HAVN_BANK_PROFILES_DIR: '/nowhere' }), '/nowhere'],
  ]
  it.each(rows)('%s is found', async (check, damage, names) => {
    const findings = await found(['files'], { settings: await damage() })
    expect([...new Set(findings.map((one) => one.check))]).toEqual([check])
    expect(JSON.stringify(findings)).toContain(names)
  })

  it('a secret that is mounted into a container may be readable there', async () => {
    const settings = await keyFile(generateMasterKeyLine('key-1'), 0o644)
    expect(await found(['files'], { settings, host: { deviceOf: async (path) => path.length } })).toEqual([])
  })

  it('the key of another installation, and a key that was replaced, are found by the stored data', async () => {
    const [former, other] = [generateMasterKeyLine('key-1'), generateMasterKeyLine('key-2')]
    const sealed = createSeal(parseMasterKeys(former)).seal('{}', tokenKeyPurpose('kid-1'))
    await sound.sql(
      `insert into token_keys (kid, public_jwk, private_jwk_sealed, created_at)
       values ('kid-1', '{}', '\\x${sealed.toString('hex')}', now())`,
    )
    const checks = async (text: string) =>
      (await found(['files'], { settings: await keyFile(text, 0o600) })).map(({ check }) => check)
    expect(await checks(former)).toEqual([])
    expect(await checks(other)).toEqual(['master-key-wrong'])
    expect(await checks(generateMasterKeyLine('key-1'))).toEqual(['master-key-wrong'])
    expect(await checks(`${other}\n${former}`)).toEqual(['master-key-old'])
    await sound.sql('delete from token_keys')
  })

  async function keyFile(text: string, mode: number): Promise<Record<string, string>> {
    const file = await sound.file('damaged.key', `${text}\n`)
    await chmod(file, mode)
    return { HAVN_MASTER_KEY_FILE: file }
  }
})

describe('the database', () => {
  /** `DB` stands for its name. */
  const rows: readonly (readonly [check: string, damage: string, repair: string, names: string])[] = [
    [
      'database-read-only',
      'alter database DB set default_transaction_read_only to on',
      'begin read write; alter database DB reset default_transaction_read_only; commit',
      'read_only',
    ],
    [
      'database-synchronous-commit',
      'alter database DB set synchronous_commit to off',
      'alter database DB set synchronous_commit to on',
      'twice',
    ],
    [
      'database-time-zone',
      "alter database DB set timezone to 'Europe/Oslo'",
      "alter database DB set timezone to 'UTC'",
      'Europe/Oslo',
    ],
    ['database-connections', 'alter database DB connection limit 20', 'alter database DB connection limit -1', '44'],
    [
      'database-collation',
      "update pg_database set datcollversion = '0' where datname = 'DB'",
      'alter database DB refresh collation version',
      'reindex database',
    ],
    [
      'search-path',
      'create schema other; alter database DB set search_path to other',
      'alter database DB reset search_path; drop schema other',
      'set search_path to public',
    ],
    [
      'migrations-pending',
      'delete from migrations where number = 2',
      "insert into migrations values (2, '0002-console-sessions.sql')",
      '0002-console-sessions.sql',
    ],
    [
      'migrations-unknown',
      "insert into migrations values (9999, '9999-later.sql')",
      'delete from migrations where number = 9999',
      '9999-later.sql',
    ],
    [
      'migrations-differ',
      "update migrations set name = 'other.sql' where number = 1",
      "update migrations set name = '0001-baseline.sql' where number = 1",
      '0001-baseline.sql',
    ],
    [
      'index-missing',
      'drop index running_processes_retention',
      'create index running_processes_retention on running_processes (seen_at)',
      'CREATE INDEX CONCURRENTLY running_processes_retention',
    ],
    [
      'index-invalid',
      "update pg_index set indisvalid = false where indexrelid = 'running_processes_retention'::regclass",
      "update pg_index set indisvalid = true where indexrelid = 'running_processes_retention'::regclass",
      'reindex index',
    ],
  ]
  it.each(rows)('%s is found after: %s', async (check, damage, repair, names) => {
    const named = (statement: string) => statement.replaceAll('DB', sound.databaseName)
    await sound.sql(named(damage))
    try {
      const findings = await found(['database'], {})
      expect(findings.map((one) => one.check)).toEqual([check])
      expect(JSON.stringify(findings)).toContain(names)
    } finally {
      await sound.sql(named(repair))
    }
  })

  it('database-privileges: a user without grants is found, and its password is not shown', async () => {
    const user = `${sound.databaseName}_reader`
    await sound.sql(`create role ${user} login password 'hemmelig-passord'`)
    const url = new URL(sound.database.connectionString)
    url.username = user
    url.password = 'hemmelig-passord'
    try {
      const findings = await found(['database'], { settings: { DATABASE_URL: url.href } })
      expect(findings.map(({ check }) => check)).toContain('database-privileges')
      expect(JSON.stringify(findings)).toContain(`to \\"${user}\\"`)
      url.password = 'anything-else'
      const rejected = await found(['database'], { settings: { DATABASE_URL: url.href } })
      expect(rejected.map(({ check }) => check)).toEqual(['database-login'])
      expect(JSON.stringify(rejected)).not.toContain('anything-else')
    } finally {
      await sound.sql(`drop role ${user}`)
    }
  })

  it('database-encoding: a database in another encoding is found', async () => {
    const name = `${sound.databaseName}_ascii`
    await sound.sql(`create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`)
    const url = new URL(sound.database.connectionString)
    url.pathname = `/${name}`
    try {
      const findings = await found(['database'], { settings: { DATABASE_URL: url.href } })
      expect(findings.map(({ check }) => check)).toEqual(
        expect.arrayContaining(['database-encoding', 'migrations-pending']),
      )
    } finally {
      await sound.sql(`drop database ${name}`)
    }
  })

  it('an unknown host, a closed port, a silent host and a server of another protocol are distinguished', async () => {
    const silent = createServer(() => undefined)
    const other = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const closed = createServer()
    const ports: number[] = []
    for (const server of [silent, other, closed]) {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const address = server.address()
      ports.push(typeof address === 'object' && address !== null ? address.port : 0)
    }
    closed.close()
    const [silentPort, otherPort, closedPort] = ports
    const checkOf = async (host: string) => {
      const settings = { DATABASE_URL: `postgres://havn:hemmelig@${host}/havn` }
      const findings = await found(['database'], { settings })
      expect(JSON.stringify(findings)).not.toContain('hemmelig')
      return findings.map(({ check }) => check)
    }
    const hosts = [UNKNOWN_HOST, `127.0.0.1:${closedPort}`, `127.0.0.1:${silentPort}`, `127.0.0.1:${otherPort}`]
    expect(await Promise.all(hosts.map(checkOf))).toEqual([
      ['database-name-unknown'],
      ['database-port-closed'],
      ['database-timeout'],
      ['database-unreachable'],
    ])
    silent.close()
    other.close()
  }, 30_000)

  it('a pooler is found, and what it needs; a direct connection needs nothing', async () => {
    let pooler = await startTransactionPooler(sound.database.connectionString)
    const direct = 'postgres://127.0.0.1/havn'
    const checks = async (url: string, databasePoolMode: PoolMode, databaseListenUrl: string | null = null) => {
      const session = await openSession(url)
      try {
        return 'pool' in session
          ? (await poolerFindings(session.pool, () => openSession(url), { databasePoolMode, databaseListenUrl })).map(
              ({ check }) => check,
            )
          : session
      } finally {
        await closeSession(session)
      }
    }
    expect(await checks(sound.database.connectionString, 'detect')).toEqual([])
    expect(await checks(pooler.connectionString, 'session')).toEqual(['pooler-transaction-mode'])
    const lacking = ['pooler-session-settings', 'pooler-notifications']
    expect(await checks(pooler.connectionString, 'detect')).toEqual(lacking)
    await pooler.close()
    await storeSettings(sound.database.connectionString)
    pooler = await startTransactionPooler(sound.database.connectionString)
    expect(await checks(pooler.connectionString, 'detect')).toEqual(['pooler-notifications'])
    expect(await checks(pooler.connectionString, 'transaction', direct)).toEqual([])
    await sound.sql(`alter role current_user in database ${sound.databaseName} reset all`)
    await pooler.close()
  })

  it.each<readonly [string, Parameters<typeof findingsOfPooler>[0]]>([
    ['pooler-transaction-mode', { ...SOUND_POOLER, databasePoolMode: 'session' }],
    ['pooler-prepared-statements', { ...SOUND_POOLER, databasePoolMode: 'transaction-prepared', isPreparing: false }],
    ['pooler-session-settings', { ...SOUND_POOLER, differing: ['jit = on'] }],
    ['pooler-session-mode', { ...SOUND_POOLER, sharesConnections: false }],
    ['pooler-notifications', { ...SOUND_POOLER, databaseListenUrl: null }],
  ])('%s is found', (check, pooler) => {
    expect(findingsOfPooler(SOUND_POOLER)).toEqual([])
    expect(findingsOfPooler(pooler).map((finding) => finding.check)).toEqual([check])
  })

  it('what a server of the tests cannot be is found in what it reports: an old release, a replica, fsync off', async () => {
    const session = await openSession(sound.database.connectionString)
    const { facts } = await readDatabaseFacts(('pool' in session && session.pool) as never, hostFacts().real)
    await closeSession(session)
    const { config } = inspectConfig(sound.settings, 'gateway')
    const checks = (changes: Partial<typeof facts>) =>
      serverFindings({ ...facts, fsync: 'on', fullPageWrites: 'on', autovacuum: 'on', ...changes }, 0, config).map(
        ({ check }) => check,
      )
    expect(checks({})).toEqual([])
    // It answers nothing that is asked for what newer servers have.
    const older = { query: async () => ({ rows: [{ number: 140_011, version: '14.11' }] }) }
    const installation = { database: { pool: older }, config, host: hostFacts() }
    expect(await databaseGroup.inspect(installation as never)).toMatchObject([{ check: 'database-version' }])
    expect(checks({ isReplica: true, isReadOnly: true })).toEqual(['database-replica'])
    expect(checks({ fullPageWrites: 'off' })).toEqual(['database-fsync'])
    expect(checks({ autovacuum: 'off' })).toEqual(['database-autovacuum'])
  })

  it('database-promoted: a timeline of which nothing is recorded is found', async () => {
    const timeline = { cluster: '7', number: 2 }
    expect(findingsOfTimeline(timeline, false).map(({ check }) => check)).toEqual(['database-promoted'])
    expect(findingsOfTimeline(timeline, true)).toEqual([])
    const session = await openSession(sound.database.connectionString)
    expect(await readTimeline(session as never)).toEqual({ cluster: expect.stringMatching(/^\d+$/), number: 1 })
    await closeSession(session)
  })

  it('clock-skew-database and database-disk: a wrong clock and a full disk of this host are found', async () => {
    const real = () => hostFacts().real().add({ minutes: 10 })
    const late = await found(['database'], { host: { real } })
    expect(late.map(({ check }) => check)).toEqual(['clock-skew-database'])
    const full = await found(['database'], { host: { freeSpace: async () => ({ bytes: 5e8, share: 0.02 }) } })
    expect(full.map(({ check }) => check)).toEqual(['database-disk'])
  })
})

describe('the host', () => {
  it.each<readonly [string, Damage['host'], string]>([
    ['node-version', { nodeVersion: '20.11.0' }, 'Node 20.11.0'],
    ['time-zone-data', { timeZoneVersion: '' }, 'no year'],
    ['time-zone-data', { timeZoneVersion: '2019c' }, '2019c'],
  ])('%s is found with %j', async (check, host = {}, names) => {
    const findings = await found(['host'], { host })
    expect(findings.map((one) => one.check)).toEqual([check])
    expect(JSON.stringify(findings)).toContain(names)
  })

  it('data-old names the data of the release that are older than 18 months on the day', async () => {
    const oldOn = async (instant: string) =>
      (await sound.findings(['host'], { host: { real: () => Temporal.Instant.from(instant) } })).filter(
        ({ check }) => check === 'data-old',
      )
    expect(await oldOn('2026-02-01T00:00:00Z')).toMatchObject([
      { problem: expect.stringContaining('Danish registration numbers (2024-07)') },
    ])
    expect(await oldOn('2010-11-01T00:00:00Z')).toEqual([])
  })

  it.each(['worker', 'gateway'])('a missing %s is found', async (role) => {
    await sound.sql(`update running_processes set seen_at = seen_at - interval '5 minutes' where role = '${role}'`)
    const findings = await found(['host'], {})
    expect(findings.map(({ check }) => check)).toEqual([
      { worker: 'worker-not-running', gateway: 'gateway-not-running' }[role],
    ])
    await sound.sql(`update running_processes set seen_at = now()`)
  })
})

describe('the command', () => {
  it('ends with 1 for errors and with 0 for warnings, as text and as JSON, and prints no secret', async () => {
    const secret = 'sehr-geheim-4711'
    const settings = {
      ...sound.settings,
      DATABASE_URL: `postgres://havn:${secret}@127.0.0.1:1/havn`,
      HAVN_FX_API_KEY: secret,
      HAVN_BASE_URL: `https://user:${secret}@havn.nordkontor.no`,
      HAVN_PORT: secret,
    }
    const text = await runHavnCommand(['doctor', '--offline'], settings)
    expect(text).toMatchObject({ code: 1, error: '' })
    expect(text.out).toContain('error database-port-closed: ')
    expect(text.out).toMatch(/\d+ errors, /)
    const json = await runHavnCommand(['doctor', '--offline', '--json'], settings)
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, groups: expect.arrayContaining([]) })
    expect(`${text.out}${json.out}`).not.toContain(secret)
    const skipped = await runHavnCommand(['doctor', '--offline', '--skip', 'database,certificates'], {
      ...sound.settings,
      HAVN_LOG_LEVEL: 'debug',
    })
    expect(skipped).toMatchObject({ code: 0, out: expect.stringContaining('0 errors, 1 warning, 1 note.') })
    const unknown = await runHavnCommand(['doctor', '--skip', 'databse'], sound.settings)
    expect(unknown).toMatchObject({
      code: 1,
      error: expect.stringContaining('--skip names no group of checks: databse'),
    })
  })

  it('says of the sandbox on this machine that it does not run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'havn-doctor-'))
    await writeFile(join(folder, 'master.key'), generateMasterKeyLine('test'))
    const { error } = await runHavnCommand(['doctor', '--offline'], { HAVN_DATA_DIR: folder })
    await rm(folder, { recursive: true })
    expect(error).toContain(
      `The Havn of ${folder} does not run, so that its database and URLs cannot be reached: run npm start`,
    )
  })
})
