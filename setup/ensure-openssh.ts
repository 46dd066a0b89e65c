/** Ensures that an OpenSSH server for the SFTP tests is installed; installs Debian's when that is possible. */
import { access } from 'node:fs/promises'
import { canInstallPackages, installDebianPackage } from './install-debian-package.ts'

const SSHD = '/usr/sbin/sshd'

/** Does nothing when it is found; otherwise installs it, or throws with instructions. */
export async function ensureOpenSsh(): Promise<void> {
  if (await isInstalled()) {
    return
  }
  if (!(await canInstallPackages())) {
    throw new Error(
      'Tests of files over SFTP run OpenSSH’s server, which is not installed. ' +
        'On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y openssh-server. macOS has it.',
    )
  }
  console.log('Installing OpenSSH’s server for the tests of files over SFTP (once, some seconds) …')
  await installDebianPackage('openssh-server')
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
