/** `npm run test:deploy`: tries the files of `deploy/` for real as far as this machine permits, and validates the rest. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePython } from '../setup/clients/ensure-programs.ts'
import { isOnPath } from '../setup/clients/run-program.ts'
import { ensureInstalled } from '../setup/debian-packages.ts'
import { ROOT } from '../setup/source-files.ts'
import { runContained } from '../setup/trials/run-contained.ts'
import { extendPath } from '../setup/trials/trial-step.ts'

/** Programs by the package of Debian that they are in. */
const PROGRAMS = {
  postgresql: 'pg_ctlcluster',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
  caddy: 'caddy',
  systemd: 'systemd-analyze',
  iproute2: 'ip',
  curl: 'curl',
  strace: 'strace',
} as const
const [FIRST_PACKAGE, ...PACKAGES] = Object.keys(PROGRAMS)

const names = process.argv.slice(2)
if (process.getuid?.() !== 0) {
  throw new Error('Namespaces, other users and Debian packages need root: sudo npm run test:deploy')
}
const folder = await mkdtemp(join(tmpdir(), 'havn-try-deploy-'))
// PostgreSQL and PgBouncer run as other users.
await chmod(folder, 0o755)
extendPath()
try {
  await ensureDebianPrograms()
  await ensurePython(folder)
  const trial = join(ROOT, 'deploy', 'trial', 'run-deploy-trial.ts')
  process.exitCode = await runContained(process.execPath, [trial, folder, ...names])
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function ensureDebianPrograms(): Promise<void> {
  const isInstalled = async () => (await Promise.all(Object.values(PROGRAMS).map(isOnPath))).every(Boolean)
  await ensureInstalled({
    packages: [FIRST_PACKAGE ?? '', ...PACKAGES],
    isInstalled,
    instructions: `Installations are tried on Debian: apt-get install -y ${Object.keys(PROGRAMS).join(' ')}`,
    progress: `Installing ${Object.keys(PROGRAMS).join(', ')} with apt-get (once) …`,
    stillMissing: `one of ${Object.values(PROGRAMS).join(', ')} is not on the path`,
  })
}
