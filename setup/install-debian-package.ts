/** Installs a Debian package that tests or benchmarks need, when this machine permits it. */
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

/** Throws with the output of `apt-get` when it fails. */
export async function installDebianPackage(name: string): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: OUTPUT_MAX_BYTES }
  await run('apt-get', ['update'], options)
  await run('apt-get', ['install', '-y', '--no-install-recommends', name], options)
}
