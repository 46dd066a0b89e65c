/** A process that keeps a throw-away PostgreSQL for as long as the test runner that started it lives. */
import { chmod, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../../../launcher/embedded-postgres/embedded-postgres.ts'
import { commandLineOf } from '../../../launcher/processes.ts'

const PREFIX = 'havn-tests-'
/** Nothing here outlives the run, so nothing is flushed: five times as many tests a minute. */
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  max_wal_size: '4GB',
}

const runnerIsGone = new Promise<void>((resolve) => process.once('disconnect', () => resolve()))
await removeLeftovers()
const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
// Run by root, PostgreSQL works as another user, who must be able to pass.
await chmod(folder, 0o755)
try {
  const quiet = { info: () => undefined }
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet, settings: THROW_AWAY })
  process.send?.(postgres.connectionString)
  await runnerIsGone
} finally {
  await removeEmbeddedPostgres(folder)
}

/** What a keeper that was itself killed left behind, recognised by its process id in the folder's name. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && (await commandLineOf(Number(pid)))?.includes('postgres-keeper') !== true) {
      await removeEmbeddedPostgres(join(tmpdir(), name))
    }
  }
}
