/** Rehearses the loss of the primary and its restore, step by step; returns what is wrong. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wallMilliseconds } from '../gateway/platform/clock.ts'
import { generateMasterKeyLine } from '../gateway/platform/crypto/envelope-encryption.ts'
import { freeBankPorts, freePorts } from '../gateway/testing/gateway/free-ports.ts'
import { sandboxClient } from '../gateway/testing/gateway/sandbox-client.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../gateway/testing/webhooks/webhook-receiver.ts'
import {
  archivedIn,
  createCluster,
  type PostgresServer,
  postgresPrograms,
  restoreTo,
  type ServerPlace,
  startServer,
  takeBaseBackup,
} from '../setup/trials/postgres-server.ts'
import { checkBanks, checkEvents, checkLostOrders, checkRepetitions, type Reconciled } from './findings.ts'
import {
  havn,
  type InstallationSettings,
  logOf,
  type RunningProgram,
  startBanks,
  startRole,
  urlOf,
} from './havn-installation.ts'
import { order, orderPayroll, type PaymentLoad, startLoad } from './payment-load.ts'
import { beginBankDays, report, seconds } from './rehearsal-clock.ts'

/** Leases of the worker that ended with the primary have expired by then, and its work is continued. */
const RESUMED_SECONDS = 25
const LOAD_SECONDS = { beforeBackup: 4, afterBackup: 4, lost: 6 }

/** What runs; everything is stopped in reverse order. */
type Stage = {
  readonly settings: InstallationSettings
  readonly programs: string
  readonly primary: ServerPlace
  readonly receiver: WebhookReceiver
  readonly running: RunningProgram[]
}

/** The state when the primary is lost. */
type Loss = {
  readonly load: PaymentLoad
  /** The point in time of the restore, as PostgreSQL writes it. */
  readonly until: string
  /** Wall time in milliseconds since 1970. */
  readonly lostAt: number
  readonly backup: string
}

/** Everything is below the folder, and on loopback. What runs is added to `running`, for a drill that is interrupted. */
export async function rehearse(folder: string, running: RunningProgram[]): Promise<readonly string[]> {
  const programs = await postgresPrograms()
  const receiver = await startWebhookReceiver()
  running.push({ stop: () => receiver.close() })
  const stage = await openStage({ folder, programs, receiver, running })
  const loss = await loseUnderLoad(stage)
  return await restoreAndCheck(stage, loss)
}

async function openStage({
  folder,
  ...opened
}: Omit<Stage, 'settings' | 'primary'> & { readonly folder: string }): Promise<Stage> {
  const { programs, receiver, running } = opened
  const [gateway = 0, worker = 0, pages = 0, port = 0, bankPort = 0] = await freePorts(5)
  const primary = { folder: join(folder, 'primary'), port }
  const banks = { folder: join(folder, 'bank-database'), port: bankPort }
  const archive = join(primary.folder, 'wal')
  await mkdir(archive, { recursive: true })
  report('starting PostgreSQL with archived WAL, and one for the banks')
  await Promise.all([createCluster(programs, primary, archivedIn(archive)), createCluster(programs, banks, [])])
  const bankServer = await startServer(programs, banks)
  running.push(bankServer)
  const settings = {
    folder,
    databaseUrl: `postgres://postgres@127.0.0.1:${port}/postgres`,
    bankDatabaseUrl: bankServer.url,
    masterKeyFile: join(folder, 'master.key'),
    webhookAuthorityFile: join(folder, 'authority.pem'),
    ports: { gateway, worker, pages, xs2a: await freeBankPorts() },
  }
  await writeFile(settings.masterKeyFile, generateMasterKeyLine('drill'))
  await writeFile(settings.webhookAuthorityFile, receiver.authority)
  return { settings, primary, ...opened }
}

/** Ends with the primary killed, its data deleted, and every program stopped. */
async function loseUnderLoad(stage: Stage): Promise<Loss> {
  const { settings, programs, primary } = stage
  const server = await startServer(programs, primary)
  stage.running.push(server)
  await havn(settings, 'migrate')
  stage.running.push(await startBanks(settings))
  const gateway = await startRole('gateway', settings)
  stage.running.push(gateway)
  const worker = await startRole('worker', settings)
  stage.running.push(worker)
  const client = sandboxClient(urlOf(settings.ports.gateway))
  const { today } = await beginBankDays(client)
  await client.createWebhookSubscription({
    body: { targetUrl: stage.receiver.origin, eventTypes: ['PAYMENT_STATUS'] },
  })
  report('load, and a base backup under it')
  const load = await startLoad(client, today)
  stage.running.push(load)
  await seconds(LOAD_SECONDS.beforeBackup)
  const backup = join(settings.folder, 'base')
  await takeBaseBackup(programs, server, backup)
  await seconds(LOAD_SECONDS.afterBackup)
  await orderPayroll(client, settings, today)
  const [{ now: until = '' } = {}] = await server.query<{ now: string }>('select clock_timestamp()::text as now')
  report(`the point in time of the restore is ${until}; more load`)
  await seconds(LOAD_SECONDS.lost)
  await archiveWal(server)
  const lostAt = wallMilliseconds()
  await server.lose()
  report('the primary was killed, and its data is gone')
  await load.stop()
  await Promise.all([gateway.stop(), worker.stop()])
  return { load, until, lostAt, backup }
}

async function restoreAndCheck(stage: Stage, loss: Loss): Promise<readonly string[]> {
  const { settings, programs, primary, receiver } = stage
  const { load, until, lostAt, backup } = loss
  const began = wallMilliseconds()
  await restoreTo(primary, { backup, archive: join(primary.folder, 'wal'), until })
  const server = await startServer(programs, primary)
  stage.running.push(server)
  const deliveredBefore = receiver.received.length
  const findings: string[] = [...(await checkOtherKey(stage))]
  findings.push(...(await checkDoctor(settings, true)))
  console.log(await havn(settings, 'after-restore', '--to', instantOf(until)))
  findings.push(...(await checkDoctor(settings, false)))
  stage.running.push(await startRole('worker', settings))
  const found = await reconcile(settings, until)
  stage.running.push(await startRole('gateway', settings))
  const restoredIn = (wallMilliseconds() - began) / 1_000
  report('the gateway serves again; the partner repeats every request of the lost time')
  const client = sandboxClient(urlOf(settings.ports.gateway))
  const lost = load.payments.filter(
    ({ orderedAt }) => orderedAt >= Temporal.Instant.from(instantOf(until)).epochMilliseconds,
  )
  const answers = []
  for (const payment of lost) {
    answers.push(await order(client, { ...payment }))
  }
  findings.push(...checkRepetitions(answers))
  report('waiting until the work of the former worker would be continued')
  await seconds(RESUMED_SECONDS)
  findings.push(...(await checkBanks(settings, load.payments)))
  findings.push(...(await checkLostOrders(server, settings, found)))
  findings.push(...(await checkEvents(client, receiver, { load, deliveredBefore })))
  report(
    [
      `${load.payments.length} payments ordered, ${lost.length} in the lost time, ${found.orders.length} orders found by havn reconcile`,
      `${found.keysBlocked} idempotency keys blocked; ${deliveredBefore} deliveries before the loss, ${receiver.received.length - deliveredBefore} after it`,
      `recovery point: ${((lostAt - Temporal.Instant.from(instantOf(until)).epochMilliseconds) / 1_000).toFixed(1)} s, recovery time: ${restoredIn.toFixed(1)} s`,
    ].join('\n'),
  )
  return findings
}

/** A restored database without its master key starts nothing. */
async function checkOtherKey(stage: Stage): Promise<readonly string[]> {
  const masterKeyFile = join(stage.settings.folder, 'other.key')
  await writeFile(masterKeyFile, generateMasterKeyLine('drill'))
  const other = { ...stage.settings, folder: join(stage.settings.folder, 'other'), masterKeyFile }
  await mkdir(other.folder)
  try {
    await (await startRole('worker', other)).stop()
    return ['A worker started with another master key']
  } catch {
    const text = await readFile(logOf(other, 'worker'), 'utf8')
    const isNamed = text.includes('The master key is not the one of this database')
    return isNamed ? [] : [`A worker with another master key did not say what is wrong: ${text.slice(0, 500)}`]
  }
}

/** A restore of which nothing is recorded is found, and only that. */
async function checkDoctor(settings: InstallationSettings, isExpected: boolean): Promise<readonly string[]> {
  // It ends with 1 for what a throw-away server is, and its whole report counts.
  const printed = await havn(settings, 'doctor', '--offline', '--json').catch(String)
  const isFound = printed.includes('"database-promoted"')
  return isFound === isExpected ? [] : [`havn doctor ${isFound ? 'finds' : 'does not find'} the promotion:\n${printed}`]
}

async function reconcile(settings: InstallationSettings, until: string): Promise<Reconciled> {
  const from = Temporal.Instant.from(instantOf(until)).subtract({ minutes: 1 }).toString()
  const logs = ['gateway', 'worker'].map((name) => logOf(settings, name))
  return JSON.parse(await havn(settings, 'reconcile', '--from', from, '--json', '--log', ...logs))
}

/** What is not archived when the disk is lost cannot be replayed. */
async function archiveWal(server: PostgresServer): Promise<void> {
  const [{ name = '' } = {}] = await server.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
  for (let archived = ''; archived < name; ) {
    const [row] = await server.query<{ last: string | null }>('select last_archived_wal as last from pg_stat_archiver')
    archived = row?.last ?? ''
    await seconds(0.1)
  }
}

/** PostgreSQL writes `2026-11-23 09:42:00.123+00`. */
const instantOf = (text: string): string => Temporal.Instant.from(`${text.replace(' ', 'T')}:00`).toString()
