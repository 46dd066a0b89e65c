/** Starts an embedded PostgreSQL in a folder, cleans up after a killed run, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { LOOPBACK } from '../free-ports.ts'
import { openLogFile, tailOf } from '../log-file.ts'
import { waitUntil } from '../processes.ts'
import {
  type ClusterFile,
  claimPort,
  clusterOf,
  findCluster,
  prepareCluster,
  readClusterFile,
  SUPERUSER,
} from './postgres-cluster.ts'
import { candidateFolders, type PostgresLocation, resolveLocation, type StartNotices } from './postgres-location.ts'
import { type Cluster, stopCluster } from './postmaster.ts'

/** What to start. */
export type EmbeddedPostgresSettings = {
  /** The folder of the cluster; created when missing. */
  readonly dataDir: string
  readonly log: StartNotices
  /** PostgreSQL settings by name, in addition to the durable defaults. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A running PostgreSQL. */
export type EmbeddedPostgres = {
  readonly connectionString: string
  /** Resolves when the server has ended, by `stop` or unexpectedly. */
  readonly ended: Promise<void>
  /** Stops the server, and resolves when it has ended. */
  stop(): Promise<void>
}

const DATABASE = 'havn'
/** Recovery after a crash replays at most one checkpoint distance; on a slow disk that takes a while. */
const READY_MILLISECONDS = 60_000
const LOG_SIZE_MAX_BYTES = 10_000_000
/** Of macOS, which permits fewer than Linux. */
const SOCKET_PATH_BYTES_MAX = 103
const DEFAULTS = {
  // Acknowledged commits are on disk; stated here although it is the default.
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '200',
  // On a solid-state disk random reads cost little more than sequential ones; the default assumes a slow disk, for
  // which the planner scans tables of thousands of rows.
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
}

/** Starts the cluster of a folder and returns when it accepts connections. */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const place = await resolveLocation(settings.dataDir, settings.log)
  const facts = await prepareCluster(place, settings.log)
  const cluster = await clusterOf(place.folder, facts)
  await stopCluster(cluster)
  const port = await claimPort(place.folder, facts)
  const connectionString = connectionStringOf({ ...facts, port }, cluster)
  const server = await spawnServer(place, cluster, {
    ...{ ...DEFAULTS, ...settings.settings, port: String(port) },
    unix_socket_directories: hasSocket(cluster, port) ? '.' : '',
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const isSettled = async () => hasEnded(server) || (await acceptsConnections(connectionString))
  if (!(await waitUntil(isSettled, READY_MILLISECONDS)) || hasEnded(server)) {
    await stopCluster(cluster)
    throw new Error(`PostgreSQL did not start. The end of ${logFileOf(place)}:\n${tailOf(logFileOf(place))}`)
  }
  const stop = async () => {
    // Keeps the process alive only while a caller waits for the end of the server.
    server.ref()
    await stopCluster(cluster)
    await ended
  }
  return { connectionString, ended, stop }
}

/** The address of a folder's running cluster; undefined when the folder has none. */
export async function storedConnectionString(dataDir: string): Promise<string | undefined> {
  for (const folder of candidateFolders(dataDir)) {
    const facts = await readClusterFile(folder)
    if (facts !== undefined) {
      return connectionStringOf(facts, await clusterOf(folder, facts))
    }
  }
  return undefined
}

/** Deletes a folder's cluster with all its data, after stopping its processes. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  for (const folder of candidateFolders(dataDir)) {
    const cluster = await findCluster(folder)
    if (cluster !== undefined) {
      await stopCluster(cluster)
    }
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Over the socket in its data directory: a statement takes less processor time there, on both sides, than over the
 * loopback network. Host and port are named for programs without sockets.
 */
function connectionStringOf({ password, port }: ClusterFile, cluster: Cluster): string {
  const socket = hasSocket(cluster, port) ? `?host=${encodeURIComponent(cluster.dataDirectory)}` : ''
  return `postgres://${SUPERUSER}:${password}@${LOOPBACK}:${port}/${DATABASE}${socket}`
}

/** PostgreSQL does not start with a socket whose path is longer than the system permits. */
function hasSocket({ dataDirectory }: Cluster, port: number): boolean {
  return Buffer.byteLength(join(dataDirectory, `.s.PGSQL.${port}`)) <= SOCKET_PATH_BYTES_MAX
}

/** The server leads a process group of its own, so that a signal to our group or terminal does not reach it. */
async function spawnServer(
  place: PostgresLocation,
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const all = {
    ...settings,
    listen_addresses: LOOPBACK,
    cluster_name: cluster.name,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLogFile(logFileOf(place), LOG_SIZE_MAX_BYTES)
  try {
    const server = spawn(join(place.programs, 'bin', 'postgres'), ['-D', cluster.dataDirectory, ...options], {
      ...place.account,
      cwd: '/',
      detached: true,
      // A file, not a pipe: the server must be able to log its shutdown when this process is gone.
      stdio: ['ignore', log, log],
    })
    await new Promise((resolve, reject) => server.once('spawn', resolve).once('error', reject))
    server.unref()
    return server
  } finally {
    closeSync(log)
  }
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null
}

/** Whether the server accepts our connections; the database itself is created at the first one. */
async function acceptsConnections(connectionString: string): Promise<boolean> {
  const address = new URL(connectionString)
  address.pathname = '/postgres'
  const client = new pg.Client({ connectionString: address.href })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rows.length === 0) {
      await client.query(`create database ${pg.escapeIdentifier(DATABASE)}`)
    }
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

function logFileOf(place: PostgresLocation): string {
  return join(place.folder, 'postgres.log')
}
