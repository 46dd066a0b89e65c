/** A process that runs a temporary PostgreSQL until the test runner that started it ends. */
import { chmod, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../../../launcher/embedded-postgres/embedded-postgres.ts'
import { SUPERUSER } from '../../../launcher/embedded-postgres/postgres-cluster.ts'
import { commandLineOf } from '../../../launcher/processes.ts'
import { chooseTemporaryFolder, TEMPORARY_FOLDERS } from './temporary-folder.ts'

const PREFIX = 'havn-tests-'
/** The data are temporary, so fsync is off: tests run five times as fast. */
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  max_wal_size: '512MB',
  // No test waits for statistics, and none is to have them by chance.
  autovacuum: 'off',
  // Passwords of roles that tests create are hashed that often on both sides of each connection.
  scram_iterations: '1',
  // Each connection would plan each statement five times before it keeps a plan; databases are too small and live too
  // briefly for that to pay.
  plan_cache_mode: 'force_generic_plan',
  update_process_title: 'off',
}

/** Tests open thousands of connections as the superuser, and checking the password of each took a quarter of its time. */
const AUTHENTICATION = `local all ${SUPERUSER} trust\nlocal all all scram-sha-256\nhost all all all scram-sha-256\n`

const runnerIsGone = new Promise<void>((resolve) => process.once('disconnect', () => resolve()))
await removeLeftovers()
const { path, isInMemory } = await chooseTemporaryFolder()
const folder = await mkdtemp(join(path, `${PREFIX}${process.pid}-`))
// As root, PostgreSQL runs as another user, who needs access to the folder.
await chmod(folder, 0o755)
try {
  const quiet = { info: () => undefined }
  const hbaFile = join(folder, 'authentication.conf')
  await writeFile(hbaFile, AUTHENTICATION)
  const settings = { ...THROW_AWAY, hba_file: hbaFile }
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet, settings })
  process.send?.({ server: postgres.connectionString, isInMemory })
  await runnerIsGone
} finally {
  await removeEmbeddedPostgres(folder)
}

/** Folders of killed processes, recognised by the process id in the name. */
async function removeLeftovers(): Promise<void> {
  for (const parent of TEMPORARY_FOLDERS) {
    for (const name of await readdir(parent).catch(() => [])) {
      const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
      if (pid !== undefined && (await commandLineOf(Number(pid)))?.includes(basename(import.meta.filename)) !== true) {
        await removeEmbeddedPostgres(join(parent, name))
      }
    }
  }
}
