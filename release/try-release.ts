/** `npm run test:release`: builds the server twice, and runs what was built as a new operator would. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOnPath } from '../setup/clients/run-program.ts'
import { ensureInstalled } from '../setup/debian-packages.ts'
import { ROOT } from '../setup/source-files.ts'
import { runContained } from '../setup/trials/run-contained.ts'
import { extendPath } from '../setup/trials/trial-step.ts'

/** Programs by the package of Debian that they are in. A step that needs one that is missing is not run, and says so. */
const PROGRAMS = {
  bubblewrap: 'bwrap',
  'qemu-user-static': 'qemu-aarch64-static',
  podman: 'podman',
  crun: 'crun',
  debootstrap: 'debootstrap',
} as const
const [FIRST_PACKAGE, ...PACKAGES] = Object.keys(PROGRAMS)

extendPath()
const folder = await mkdtemp(join(tmpdir(), 'havn-try-release-'))
// Programs of the release run as another user.
await chmod(folder, 0o755)
try {
  await ensurePrograms().catch((error: unknown) => console.log(error instanceof Error ? error.message : String(error)))
  const trial = join(ROOT, 'release', 'trial', 'run-release-trial.ts')
  process.exitCode = await runContained(process.execPath, [trial, folder, ...process.argv.slice(2)])
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function ensurePrograms(): Promise<void> {
  const names = Object.keys(PROGRAMS).join(' ')
  await ensureInstalled({
    packages: [FIRST_PACKAGE ?? '', ...PACKAGES],
    isInstalled: async () => (await Promise.all(Object.values(PROGRAMS).map(isOnPath))).every(Boolean),
    instructions: `For every step, on Debian or Ubuntu: sudo apt-get install -y --no-install-recommends ${names}`,
    progress: `Installing ${names} with apt-get (once) …`,
    stillMissing: `one of ${Object.values(PROGRAMS).join(', ')} is not on the path`,
  })
}
