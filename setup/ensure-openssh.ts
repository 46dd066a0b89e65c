/** Ensures that an OpenSSH server for the SFTP tests is installed; installs Debian's when that is possible. */
import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SSHD = '/usr/sbin/sshd'
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024

/** Does nothing when it is found; otherwise installs it, or throws with instructions. */
export async function ensureOpenSsh(): Promise<void> {
  if (await isInstalled()) {
    return
  }
  if (process.getuid?.() !== 0 || !(await hasAptGet())) {
    throw new Error(
      'Tests of files over SFTP run OpenSSH’s server, which is not installed. ' +
        'On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y openssh-server. macOS has it.',
    )
  }
  console.log('Installing OpenSSH’s server for the tests of files over SFTP (once, some seconds) …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env, maxBuffer: OUTPUT_MAX_BYTES })
  const install = ['install', '-y', '--no-install-recommends', 'openssh-server']
  await run('apt-get', install, { env, maxBuffer: OUTPUT_MAX_BYTES })
  if (!(await isInstalled())) {
    throw new Error(`apt-get installed openssh-server, but there is no ${SSHD}`)
  }
}

async function isInstalled(): Promise<boolean> {
  return await access(SSHD).then(
    () => true,
    () => false,
  )
}

async function hasAptGet(): Promise<boolean> {
  return await run('apt-get', ['--version']).then(
    () => true,
    () => false,
  )
}
