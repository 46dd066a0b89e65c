/** `npm run test:deploy`: tries the files of `deploy/` for real as far as this machine permits, and validates the rest. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePython } from '../setup/clients/ensure-python.ts'
import { isOnPath, runProgram } from '../setup/clients/run-program.ts'
import { ensureInstalled } from '../setup/install-debian-packages.ts'
import { checkChart } from './trial/check-chart.ts'
import { checkCompose } from './trial/check-compose.ts'
import { checkSystemCalls } from './trial/check-system-calls.ts'
import { checkUnits } from './trial/check-units.ts'
import { type DeployStep, deployTable, runDeployStep } from './trial/deploy-step.ts'
import { runInstallationPage } from './trial/run-installation-page.ts'
import { runPooledTests } from './trial/run-pooled-tests.ts'
import { tryProxies } from './trial/try-proxies.ts'

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
/** Apache-2.0 both; they bring the schemas of the Compose Specification and of Kubernetes. */
const VALIDATORS = ['check-jsonschema==0.39.0', 'kubernetes-validate==1.37.0']

const wanted = process.argv.slice(2)
if (process.getuid?.() !== 0) {
  throw new Error('Namespaces, other users and Debian packages need root: sudo npm run test:deploy')
}
const folder = await mkdtemp(join(tmpdir(), 'havn-try-deploy-'))
// PostgreSQL and PgBouncer run as other users.
await chmod(folder, 0o755)
process.env['PATH'] = `${process.env['PATH']}:/usr/sbin:/sbin`
try {
  await ensureDebianPrograms()
  const steps = stepsWith(await validators()).filter(({ name }) => isWanted(name))
  const outcomes = []
  for (const [index, step] of steps.entries()) {
    outcomes.push(await runDeployStep(step, join(folder, String(index))))
  }
  console.log(`\n${deployTable(outcomes)}`)
  process.exitCode = outcomes.some(({ result }) => result === 'FAILED') ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}

function stepsWith(python: string): readonly DeployStep[] {
  return [
    { name: 'units', how: 'validated', run: checkUnits },
    { name: 'system-calls', how: 'real', run: checkSystemCalls },
    { name: 'compose', how: 'validated', run: (place) => checkCompose(place, python) },
    { name: 'helm', how: 'validated', run: (place) => checkChart(place, python) },
    { name: 'proxies', how: 'real', run: tryProxies },
    { name: 'pgbouncer', how: 'real', run: runPooledTests },
    { name: 'installation', how: 'real', run: runInstallationPage },
  ]
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name)
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

/** A virtual environment with the validators. */
async function validators(): Promise<string> {
  await ensurePython(folder)
  const python = join(folder, 'python')
  await runProgram('python3', ['-m', 'venv', python], { folder })
  await runProgram(join(python, 'bin', 'pip'), ['install', '--quiet', ...VALIDATORS], { folder })
  return python
}
