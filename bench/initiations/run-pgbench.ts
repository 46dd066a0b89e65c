/** Runs pgbench with a script; finds the program, or installs Debian's package when possible. */
import { execFile } from 'node:child_process'
import { access, constants, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
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
const DEBIAN_VERSIONS = '/usr/lib/postgresql'
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024
/** Threads of pgbench: the number of cores of the machine of the first published figures. */
const THREADS = 2
const ERROR_CHARACTERS_MAX = 1000
const FIGURE = /^tps = ([\d.]+)/m

/** The path of the program, found or installed. */
export async function ensurePgbench(): Promise<string> {
  const found = await findPgbench()
  if (found !== undefined) {
    return found
  }
  const hasAptGet = await run('apt-get', ['--version']).then(Boolean, () => false)
  if (process.getuid?.() !== 0 || !hasAptGet) {
    throw new Error(
      'The bench compares with pgbench, which is not installed. On Debian or Ubuntu: ' +
        'sudo apt-get update && sudo apt-get install -y postgresql-contrib. Elsewhere: put pgbench into PATH.',
    )
  }
  console.log('Installing pgbench (once, about a minute) …')
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: OUTPUT_MAX_BYTES }
  await run('apt-get', ['update'], options)
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql-contrib'], options)
  const installed = await findPgbench()
  if (installed === undefined) {
    throw new Error('apt-get installed postgresql-contrib, but pgbench was not found')
  }
  return installed
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
  const inPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'pgbench'))
  const versions = (await readdir(DEBIAN_VERSIONS).catch(() => [])).toSorted(
    (one, other) => Number(other) - Number(one),
  )
  const inVersions = versions.map((version) => join(DEBIAN_VERSIONS, version, 'bin', 'pgbench'))
  for (const place of [...inPath, ...inVersions]) {
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
