/** Damages what an upgrade depends on in one respect after the other, and requires the finding of each. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATION_LOCK } from '../../gateway/platform/database/migration/migration-session.ts'
import { type SoundInstallation, soundInstallation } from '../../gateway/testing/doctor/sound-installation.ts'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { closeSession, openSession } from './database/open-session.ts'
import { hostFacts } from './host/host-group.ts'
import { migrationFindings, pendingMigration, sizeFindings } from './upgrade/migration-findings.ts'
import { drainFindings, OURS, processFindings, workFindings } from './upgrade/process-findings.ts'
import {
  readUpgradeFacts,
  replicationFindings,
  sessionFindings,
  type UpgradeFacts,
} from './upgrade/session-findings.ts'

let sound: SoundInstallation
beforeAll(async () => {
  sound = await soundInstallation()
  await sound.sql(`update running_processes set release = '${OURS}'`)
})
afterAll(() => sound.remove())

const SOUND = ['upgrade-backup', 'upgrade-processes']
const found = async () =>
  (await sound.findings(['upgrade'], {})).filter(({ check }) => !SOUND.includes(check) || check === 'group-unfinished')
const LAST = '(select max(number) from migrations)'

describe('before an upgrade', () => {
  it('a sound installation has the reminder of the backup and the list of processes only', async () => {
    const findings = await sound.findings(['upgrade'])
    expect(findings.map(({ check }) => check).toSorted()).toEqual(SOUND)
    expect(findings.find(({ check }) => check === 'upgrade-processes')?.problem).toMatch(
      new RegExp(`1 gateway and 1 worker of ${OURS}|1 worker and 1 gateway of ${OURS}`),
    )
  })

  it.each<readonly [checks: readonly string[], damage: string, repair: string, names: string]>([
    [
      ['upgrade-migrations'],
      'create table removed as select * from migrations where number = LAST; delete from migrations where number = LAST',
      'insert into migrations select * from removed; drop table removed',
      'Pending migrations: ',
    ],
    [
      ['upgrade-older'],
      "insert into migrations values (9999, '9999-later.sql')",
      'delete from migrations where number = 9999',
      '9999-later.sql',
    ],
    [
      ['upgrade-processes-newer', 'upgrade-processes-mixed'],
      "update running_processes set release = '99.0.0' where role = 'worker'",
      `update running_processes set release = '${OURS}'`,
      '99.0.0',
    ],
  ])('%j are found after: %s', async (checks, damage, repair, names) => {
    const named = (text: string) => text.split('; ').map((statement) => statement.replace('LAST', LAST))
    await sound.sql(...named(damage))
    const findings = await found()
    await sound.sql(...named(repair))
    expect(findings.map(({ check }) => check)).toEqual(checks)
    expect(JSON.stringify(findings)).toContain(names)
  })

  it('a table of the release before, without the column of releases, is read', async () => {
    await sound.sql('alter table running_processes rename column release to release_before')
    const findings = await sound.findings(['upgrade'])
    await sound.sql('alter table running_processes rename column release_before to release')
    expect(findings.map(({ check }) => check)).not.toContain('group-unfinished')
    expect(JSON.stringify(findings)).toContain('of a release that did not record it')
  })

  it('"upgrade-running": another migration that runs is found, and the exit code is 1', async () => {
    const other = new pg.Client({ connectionString: sound.database.connectionString })
    await other.connect()
    await other.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const command = ['doctor', '--offline', '--before-upgrade', '--json', '--skip', 'files,certificates,host']
    const { code, out } = await runHavnCommand(command, sound.settings)
    await other.end()
    expect(code).toBe(1)
    const { groups } = JSON.parse(out)
    const upgrade = groups.find(({ name }: { name: string }) => name === 'upgrade')
    expect(upgrade.findings.map(({ check }: { check: string }) => check)).toContain('upgrade-running')
  })

  it('without --before-upgrade none of it is looked for', async () => {
    expect((await sound.findings(['settings'])).map(({ check }) => check)).toEqual([])
  })
})

describe('what a server of the tests cannot be is found in what it reports', () => {
  const pending = [
    pendingMigration({
      name: '0099-x.sql',
      sql: 'create table fresh (id int);\n-- update nothing\ncreate index a on payments (id);\nalter table consents add column b text;',
      index: null,
    }),
  ]
  const state = { pending, unknown: [] }
  let facts: UpgradeFacts
  beforeAll(async () => {
    const session = await openSession(sound.database.connectionString)
    if (!('pool' in session)) {
      throw session.error
    }
    facts = await readUpgradeFacts(session.pool)
    await closeSession(session)
  })
  const tables = (changes: Partial<UpgradeFacts['tables'][number]>) =>
    facts.tables.map((table) => (table.name === 'payments' ? { ...table, ...changes } : table))

  it('reads of a migration which tables it changes, and which it only gives a column', () => {
    expect(pending).toEqual([
      { name: '0099-x.sql', changed: ['consents', 'payments'], rewritten: ['payments'], isBlocking: true },
    ])
  })

  it('an index of a large table that is created while it is written to needs disk, and blocks nothing', async () => {
    const statement = 'create index concurrently a on payments (id);'
    const index = { name: 'a', table: 'payments', statement }
    const concurrent = pendingMigration({ name: '0099-x.sql', sql: `-- without transaction\n${statement}`, index })
    const changed = { ...facts, tables: tables({ bytes: 1e18 }), dataFolder: '/' }
    const findings = await sizeFindings({ pending: [concurrent], unknown: [] }, changed, hostFacts())
    expect(concurrent.changed).toEqual(['payments'])
    expect(findings.map(({ check }) => check)).toEqual(['upgrade-disk'])
  })

  it.each<readonly [check: string, changes: () => Partial<UpgradeFacts>, names: string]>([
    ['upgrade-owner', () => ({ tables: tables({ isOwned: false }) }), 'does not own payments'],
    ['upgrade-owner', () => ({ canCreate: false }), 'may not create tables'],
    ['upgrade-table-large', () => ({ tables: tables({ bytes: 12e9 }), dataFolder: null }), 'payments (12.0 GB)'],
    ['upgrade-disk', () => ({ tables: tables({ bytes: 1e18 }), dataFolder: '/' }), 'are free'],
    ['upgrade-disk-unknown', () => ({ dataFolder: null }), 'df -h'],
    [
      'upgrade-transaction-long',
      () => ({ transactions: [{ pid: 42, program: 'psql', userName: 'ops', seconds: 99 }] }),
      'pg_terminate_backend(42)',
    ],
    [
      'upgrade-transaction-prepared',
      () => ({ prepared: [{ name: 'gid-1', seconds: 7 }] }),
      "rollback prepared 'gid-1'",
    ],
    ['upgrade-sessions-hidden', () => ({ sessionsHidden: 3 }), '3 sessions'],
    ['upgrade-maintenance', () => ({ maintenance: [{ what: 'an index is being built', where: 'payments' }] }), 'index'],
    ['upgrade-connections', () => ({ connectionsFree: 5 }), '5 connections are free'],
    ['upgrade-replica-late', () => ({ standbys: [{ name: 'b', seconds: 60, bytes: 0 }] }), 'replica b is 60 s'],
    ['upgrade-slot-idle', () => ({ idleSlots: [{ name: 's', bytes: 3e9 }] }), '3.0 GB'],
    ['upgrade-archive-failing', () => ({ archiveFails: true }), 'archive_command'],
  ])('%s', async (check, changes, names) => {
    const changed = { ...facts, dataFolder: '/', ...changes() }
    const findings = [
      ...migrationFindings(state, changed),
      ...(await sizeFindings(state, changed, hostFacts())),
      ...sessionFindings(changed, 10),
      ...replicationFindings(changed),
    ]
    expect(findings.map((one) => one.check)).toContain(check)
    expect(JSON.stringify(findings.filter((one) => one.check === check))).toContain(names)
  })

  it.each([
    ['1.2.0', '1.3.0', []],
    ['1.1.9', '1.3.0', ['upgrade-release-skipped']],
    ['1.9.0', '2.0.0', []],
    ['1.9.0', '2.1.0', ['upgrade-release-skipped']],
    ['1.4.0', '1.3.0', ['upgrade-processes-newer']],
  ])('%s running before an upgrade to %s: %j', (release, ours, checks) => {
    const at = hostFacts().real()
    const process = { id: 'x', role: 'worker', host: 'a', pid: 1, startedAt: at, seenAt: at, isAlive: true, release }
    expect(processFindings([process], ours).map(({ check }) => check)).toEqual(['upgrade-processes', ...checks])
  })

  it('two gateways that do not drain are found, and one alone is not', () => {
    const gateway = { role: 'gateway', isAlive: true }
    const found = (gateways: readonly (typeof gateway)[], drainSeconds: number) =>
      drainFindings(gateways, drainSeconds).map(({ check }) => check)
    expect(found([gateway, gateway], 0)).toEqual(['upgrade-drain'])
    expect(found([gateway, gateway], 5)).toEqual([])
    expect(found([gateway, { ...gateway, isAlive: false }], 0)).toEqual([])
  })

  it('unfinished work is counted', () => {
    const counts = { inFlight: 1, unknown: 2, payrolls: 3, deadlines: 4 }
    expect(workFindings(counts).map(({ check }) => check)).toEqual([
      'upgrade-orders-in-flight',
      'upgrade-unknown-outcomes',
      'upgrade-payrolls',
      'upgrade-deadline-near',
    ])
  })
})
