/** Starts a real PostgreSQL of our own in a folder, takes over what a killed run left of it, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { waitUntil } from '../processes.ts'
import { ADDRESS, claimPort, clusterIn, type Facts, prepareCluster, readFacts, USER } from './postgres-cluster.ts'
import { foldersOf, type Notices, type Place, placeFor } from './postgres-location.ts'
import { type Cluster, endCluster } from './postmaster.ts'

/** What to start. */
export type EmbeddedPostgresSettings = {
  /** The folder that keeps everything of the cluster; made when missing. */
  readonly dataDir: string
  readonly log: Notices
  /** PostgreSQL settings by name, over the durable ones used otherwise. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A running PostgreSQL. */
export type EmbeddedPostgres = {
  readonly connectionString: string
  /** Settles when the server has ended, by `stop` or by accident. */
  readonly ended: Promise<void>
  /** Ends the server, and settles when it has ended. */
  stop(): Promise<void>
}

const DATABASE = 'havn'
/** Recovery after a crash replays at most one checkpoint distance; on a slow disk that takes a while. */
const READY_MILLISECONDS = 60_000
const LOG_SIZE_MAX_BYTES = 10_000_000
const LOG_TAIL_CHARACTERS = 2_000
const DEFAULTS = {
  // What is acknowledged is on disk: said here so that nobody has to trust a default.
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '200',
  // On a solid-state disk a look-up by key costs little more than reading on; the default takes the disk for a slow one,
  // and then reads tables of thousands of rows whole.
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
}

/** Starts the cluster of a folder and answers when it takes connections. */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const place = await placeFor(settings.dataDir, settings.log)
  const facts = await prepareCluster(place, settings.log)
  const cluster = await clusterIn(place.folder)
  if (cluster === undefined) {
    throw new Error(`${place.folder} holds no readable cluster.json`)
  }
  await endCluster(cluster)
  const port = await claimPort(place.folder, facts)
  const server = await spawnServer(place, cluster, { ...DEFAULTS, ...settings.settings, port: String(port) })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const connectionString = connectionStringOf({ ...facts, port })
  await waitUntil(async () => hasEnded(server) || (await answers(connectionString)), READY_MILLISECONDS)
  if (hasEnded(server) || !(await answers(connectionString))) {
    await endCluster(cluster)
    throw new Error(`PostgreSQL did not start. The end of ${logOf(place)}:\n${await tailOf(logOf(place))}`)
  }
  const stop = async () => {
    // Whoever only waits for the end keeps nothing else open: without this the program would be over before the server.
    server.ref()
    await endCluster(cluster)
    await ended
  }
  return { connectionString, ended, stop }
}

/** Where the cluster of a folder takes connections while it runs; undefined when the folder holds none. */
export async function keptConnectionString(dataDir: string): Promise<string | undefined> {
  const kept = await Promise.all(foldersOf(dataDir).map(readFacts))
  const facts = kept.find((found) => found !== undefined)
  return facts === undefined ? undefined : connectionStringOf(facts)
}

/** Deletes a folder's cluster with everything in it, after ending what still runs of it. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  for (const folder of foldersOf(dataDir)) {
    const cluster = await clusterIn(folder)
    if (cluster !== undefined) {
      await endCluster(cluster)
    }
    await rm(folder, { recursive: true, force: true })
  }
}

function connectionStringOf({ password, port }: Facts): string {
  return `postgres://${USER}:${password}@${ADDRESS}:${port}/${DATABASE}`
}

/** The server leads a process group of its own, so that a signal to our group or terminal does not reach it. */
async function spawnServer(
  place: Place,
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const all = { ...settings, listen_addresses: ADDRESS, unix_socket_directories: '', cluster_name: cluster.name }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = await openLogFile(logOf(place))
  try {
    const server = spawn(join(place.programs, 'bin', 'postgres'), ['-D', cluster.dataDirectory, ...options], {
      ...place.account,
      cwd: '/',
      detached: true,
      // A file, not a pipe: the server must be able to write its last words when we are gone.
      stdio: ['ignore', log.fd, log.fd],
    })
    await new Promise((resolve, reject) => server.once('spawn', resolve).once('error', reject))
    server.unref()
    return server
  } finally {
    await log.close()
  }
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null
}

/** Whether the server takes our connections; the database itself is made at the first one. */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: connectionString.replace(/\/[^/]*$/, '/postgres') })
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

function logOf(place: Place): string {
  return join(place.folder, 'postgres.log')
}

async function openLogFile(path: string) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size > LOG_SIZE_MAX_BYTES) {
    await rename(path, `${path}.1`)
  }
  return await open(path, 'a')
}

async function tailOf(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).slice(-LOG_TAIL_CHARACTERS)
}
