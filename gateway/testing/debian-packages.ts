/** Installs packages of Debian that tests and trials need. */
import { execFile } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitUntil } from '../../launcher/processes.ts'
import { findChromium, HEADLESS_SHELL } from './browser/find-chromium.ts'

const run = promisify(execFile)
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024

/** Whether packages can be installed without asking: as root, on Debian or Ubuntu. */
async function canInstallPackages(): Promise<boolean> {
  return (
    process.getuid?.() === 0 &&
    (await run('apt-get', ['--version']).then(
      () => true,
      () => false,
    ))
  )
}

/** Something that a part of the tests needs, and the Debian packages that it is in. */
type NeededPackages = {
  readonly packages: readonly [string, ...string[]]
  isInstalled(): Promise<boolean>
  /** What serves as well where it cannot be installed; undefined where nothing does. */
  findSubstitute?(): Promise<string | undefined>
  /** Why it is needed and what to do, where it cannot be installed. */
  readonly instructions: string
  /** Printed before it is installed. */
  readonly progress: string
  /** What is missing when its packages were installed all the same. */
  readonly stillMissing: string
}

/** Installs what is missing, all with one run of `apt-get`. Throws with the instructions of what cannot be installed. */
export async function ensureInstalled(...needed: readonly NeededPackages[]): Promise<void> {
  const missing = await selectMissing(needed)
  if (missing.length === 0) {
    return
  }
  const required = await selectRequired(missing)
  if (!(await canInstallPackages())) {
    if (required.length > 0) {
      throw new Error(required.map(({ instructions }) => instructions).join('\n'))
    }
    return
  }
  console.log(missing.map(({ progress }) => progress).join('\n'))
  // One package that a distribution does not have keeps apt-get from installing the others.
  await installPackagesOf(missing).catch(async (error: unknown) => {
    if (required.length === missing.length) {
      throw error
    }
    if (required.length > 0) {
      await installPackagesOf(required)
    }
  })
  for (const program of await selectMissing(required)) {
    throw new Error(`apt-get installed ${program.packages.join(', ')}, but ${program.stillMissing}`)
  }
  for (const { packages, findSubstitute } of await selectMissing(missing)) {
    console.log(
      `${packages.join(', ')} could not be installed; the tests take longer with ${await findSubstitute?.()}.`,
    )
  }
}

async function selectMissing(needed: readonly NeededPackages[]): Promise<readonly NeededPackages[]> {
  const installed = await Promise.all(needed.map((program) => program.isInstalled()))
  return needed.filter((_, n) => installed[n] === false)
}

async function selectRequired(missing: readonly NeededPackages[]): Promise<readonly NeededPackages[]> {
  const substitutes = await Promise.all(missing.map(({ findSubstitute }) => findSubstitute?.()))
  return missing.filter((_, n) => substitutes[n] === undefined)
}

/** Without their manuals: to index these takes as long as to install the packages. */
const WITHOUT_MANUALS = ['-o', 'Dpkg::Options::=--path-exclude=/usr/share/man/*']

/** Debian's own upgrades, which begin when a machine starts, or another test run hold the locks of apt meanwhile. */
const LOCKED_MILLISECONDS = 300_000

async function installPackagesOf(programs: readonly NeededPackages[]): Promise<void> {
  const names = programs.flatMap(({ packages }) => packages)
  await runApt('update')
  await runApt('install', '-y', '--no-install-recommends', ...WITHOUT_MANUALS, ...names)
}

/** Throws with the output of `apt-get` when it fails. */
async function runApt(...words: readonly string[]): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: OUTPUT_MAX_BYTES }
  let failure: unknown
  const isDone = async () => {
    failure = await run('apt-get', words, options).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure !== undefined && !String(failure).includes('Could not get lock')) {
      throw failure
    }
    return failure === undefined
  }
  if (!(await waitUntil(isDone, LOCKED_MILLISECONDS))) {
    throw failure
  }
}

/** Where the packages install each major version. */
export const DEBIAN_POSTGRES = '/usr/lib/postgresql'

/** The newest version and the folder of its programs; undefined where none is installed. */
export async function findDebianPostgres(): Promise<
  { readonly version: string; readonly programs: string } | undefined
> {
  const versions = await readdir(DEBIAN_POSTGRES).catch(() => [])
  const [version] = versions.toSorted((one, other) => Number(other) - Number(one))
  return version === undefined ? undefined : { version, programs: join(DEBIAN_POSTGRES, version, 'bin') }
}

const SSHD = '/usr/sbin/sshd'

/** For tests of files over SFTP. */
const OPEN_SSH: NeededPackages = {
  packages: ['openssh-server'],
  isInstalled: () =>
    access(SSHD).then(
      () => true,
      () => false,
    ),
  instructions:
    'Tests of files over SFTP run OpenSSH’s server, which is not installed. ' +
    'On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y openssh-server. macOS has it.',
  progress: 'Installing OpenSSH’s server for the tests of files over SFTP (once, some seconds) …',
  stillMissing: `there is no ${SSHD}`,
}

/** For journeys. */
const CHROMIUM: NeededPackages = {
  packages: ['chromium-headless-shell'],
  isInstalled: async () => (await findChromium()) === HEADLESS_SHELL,
  findSubstitute: findChromium,
  instructions:
    'The journey tests drive Chromium, which is not installed. On Debian: ' +
    'sudo apt-get update && sudo apt-get install -y chromium-headless-shell. Elsewhere: install Chrome.',
  progress: 'Installing Chromium’s headless shell for the journey tests (once, some seconds) …',
  stillMissing: `there is no ${HEADLESS_SHELL}`,
}

/** Installs the headless shell, or does with a browser that is there; without one it throws with instructions. */
export async function ensureChromium(): Promise<void> {
  await ensureInstalled(CHROMIUM)
}

/** Installs what `npm test` starts of the system. Throws with instructions where it cannot be installed. */
export async function ensureTestPrograms(): Promise<void> {
  await ensureInstalled(CHROMIUM, OPEN_SSH)
}
