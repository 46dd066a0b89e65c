/** Runs pgbench with a script; finds the program, or installs Debian's package when possible. */
import { execFile } from 'node:child_process'
import { access, constants, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { ensureInstalled, findDebianPostgres } from '../../gateway/testing/debian-packages.ts'
import { SCRIPT_VARIABLES } from './initiation-pgbench-script.ts'

/**
 * The duration and the number of clients. pgbench runs for whole seconds, in which a busy machine may execute nothing: in
 * less than one second each client executes the script once.
 */
export type PgbenchRun = {
  readonly connectionString: string
  readonly script: string
  readonly folder: string
  readonly clients: number
  readonly seconds: number
}

const run = promisify(execFile)
/** Threads of pgbench: the number of cores of the machine of the first published figures. */
const THREADS = 2
const ERROR_CHARACTERS_MAX = 1000
const FIGURE = /^tps = ([\d.]+)/m

/** The path of the program, found or installed. */
export async function ensurePgbench(): Promise<string> {
  await ensureInstalled({
    packages: ['postgresql-contrib'],
    isInstalled: async () => (await findPgbench()) !== undefined,
    instructions:
      'The bench compares with pgbench, which is not installed. On Debian or Ubuntu: ' +
      'sudo apt-get update && sudo apt-get install -y postgresql-contrib. Elsewhere: put pgbench into PATH.',
    progress: 'Installing pgbench (once, about a minute) …',
    stillMissing: 'pgbench was not found',
  })
  return (await findPgbench()) ?? ''
}

/** Executions per second; the statements are prepared, as the gateway's are. */
export async function pgbenchPerSecond(program: string, requested: PgbenchRun): Promise<number> {
  const script = join(requested.folder, 'script.sql')
  await writeFile(script, requested.script)
  const variables = Object.entries(SCRIPT_VARIABLES).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const { stdout } = await run(program, [
    ...['--no-vacuum', '--protocol=prepared', `--file=${script}`, ...variables],
    ...[`--client=${requested.clients}`, `--jobs=${THREADS}`],
    requested.seconds < 1 ? '--transactions=1' : `--time=${requested.seconds}`,
    requested.connectionString,
  ]).catch((error: Error & { stderr?: string }) => {
    throw new Error(`pgbench failed:\n${(error.stderr ?? error.message).slice(0, ERROR_CHARACTERS_MAX)}`)
  })
  const [, figure] = FIGURE.exec(stdout) ?? []
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0'
  if (figure === undefined || failed !== '0') {
    throw new Error(`pgbench failed:\n${stdout}`)
  }
  return Number(figure)
}

async function findPgbench(): Promise<string | undefined> {
  const installed = await findDebianPostgres()
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...(installed === undefined ? [] : [installed.programs]),
  ]
  for (const place of folders.map((folder) => join(folder, 'pgbench'))) {
    const isThere = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) {
      return place
    }
  }
  return undefined
}
