/** Runs a PostgreSQL of its own for a test that stops, freezes and restarts it. */
import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import {
  type EmbeddedPostgres,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../launcher/embedded-postgres/embedded-postgres.ts'
import { belongsTo, type Cluster } from '../../../launcher/embedded-postgres/postmaster.ts'
import { listProcesses, sendSignal } from '../../../launcher/processes.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { SCHEMAS } from './template-database.ts'
import { chooseTemporaryFolder } from './temporary-folder.ts'

export type OwnPostgres = {
  readonly connectionString: string
  /** Ends all connections and accepts no other. */
  stop(): Promise<void>
  /** Starts it again at the same address. */
  start(): Promise<void>
  /** Its processes exist and do nothing: connections stay open, and others are accepted and not served. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Kills its processes; `start` recovers what was committed. */
  kill(): Promise<void>
  terminateConnections(): Promise<void>
  /** Stops it and deletes its data. */
  close(): Promise<void>
}

const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }

/** With the migrations of gateway and sandbox bank. A commit survives `kill` when `synchronous_commit` is on. */
export async function startOwnPostgres(settings: Readonly<Record<string, string>> = {}): Promise<OwnPostgres> {
  const { path } = await chooseTemporaryFolder()
  const dataDir = await mkdtemp(join(path, 'havn-own-postgres-'))
  // As root, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o755)
  const startServer = () =>
    startEmbeddedPostgres({ dataDir, log: { info: () => undefined }, settings: { ...SETTINGS, ...settings } })
  let server: EmbeddedPostgres = await startServer()
  const { connectionString } = server
  for (const { schema, folder } of SCHEMAS) {
    await migrate(connectionString, folder, { schema })
  }
  const cluster = await clusterOf(connectionString)
  const signal = async (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => {
    for (const { pid } of (await listProcesses()).filter((found) => belongsTo(found, cluster))) {
      sendSignal(pid, name)
    }
  }
  return {
    connectionString,
    stop: () => server.stop(),
    start: async () => {
      server = await startServer()
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: async () => {
      await signal('SIGKILL')
      await server.ended
    },
    terminateConnections: async () => {
      const others = "backend_type = 'client backend' and pid <> pg_backend_pid()"
      await query(connectionString, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
    },
    close: async () => {
      await signal('SIGCONT')
      await removeEmbeddedPostgres(dataDir)
    },
  }
}

async function clusterOf(connectionString: string): Promise<Cluster> {
  const [cluster] = await query<Cluster>(
    connectionString,
    `select current_setting('cluster_name') as name, current_setting('data_directory') as "dataDirectory"`,
  )
  return cluster ?? { name: '', dataDirectory: '' }
}

async function query<Row extends pg.QueryResultRow>(connectionString: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
