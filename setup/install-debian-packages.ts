/** Installs Debian packages that tests or benchmarks need, when this machine permits it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024

/** Whether packages can be installed without asking: as root, on Debian or Ubuntu. */
export async function canInstallPackages(): Promise<boolean> {
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
export async function installDebianPackages(names: readonly [string, ...string[]]): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: OUTPUT_MAX_BYTES }
  await run('apt-get', ['update'], options)
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...names], options)
}
