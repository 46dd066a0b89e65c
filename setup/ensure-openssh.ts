/** Ensures that an OpenSSH server for the SFTP tests is installed; installs Debian's when that is possible. */
import { access } from 'node:fs/promises'
import { ensureInstalled } from './install-debian-packages.ts'

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
