/** Installs packages of Debian that tests and trials need. */
import { execFile } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
  /** Why it is needed and what to do, where it cannot be installed. */
  readonly instructions: string
  /** Printed before it is installed. */
  readonly progress: string
  /** What is missing when its packages were installed all the same. */
  readonly stillMissing: string
}

/** Does nothing when it is installed; otherwise installs its packages, or throws with the instructions. */
export async function ensureInstalled(needed: NeededPackages): Promise<void> {
  if (await needed.isInstalled()) {
    return
  }
  if (!(await canInstallPackages())) {
    throw new Error(needed.instructions)
  }
  console.log(needed.progress)
  await installDebianPackages(needed.packages)
  if (!(await needed.isInstalled())) {
    throw new Error(`apt-get installed ${needed.packages.join(', ')}, but ${needed.stillMissing}`)
  }
}

/** Throws with the output of `apt-get` when it fails. */
async function installDebianPackages(names: readonly [string, ...string[]]): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: OUTPUT_MAX_BYTES }
  await run('apt-get', ['update'], options)
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...names], options)
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

/** Does nothing when it is found; otherwise installs it, or throws with instructions. */
export async function ensureOpenSsh(): Promise<void> {
  await ensureInstalled({
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
  })
}

/** Installs the headless shell, or does with a browser that is there; without one it throws with instructions. */
export async function ensureChromium(): Promise<void> {
  const found = await findChromium()
  if (found === HEADLESS_SHELL) {
    return
  }
  const canInstall = await canInstallPackages()
  if (found === undefined && !canInstall) {
    throw new Error(
      'The journey tests drive Chromium, which is not installed. On Debian: ' +
        'sudo apt-get update && sudo apt-get install -y chromium-headless-shell. Elsewhere: install Chrome.',
    )
  }
  if (canInstall) {
    console.log('Installing Chromium’s headless shell for the journey tests (once, some seconds) …')
    await installDebianPackages(['chromium-headless-shell']).catch((error: unknown) => {
      if (found === undefined) {
        throw error
      }
      console.log(`It could not be installed; the tests take some seconds longer with ${found}.`)
    })
  }
}
