/** Ensures that a program which a client needs is installed; installs Debian's packages when that is possible. */
import { ensureInstalled } from '../install-debian-packages.ts'
import { isOnPath } from './run-program.ts'

/** Does nothing when it is on the path; otherwise installs the packages, or throws with instructions. */
export async function ensureProgram(program: string, packages: readonly [string, ...string[]]): Promise<void> {
  await ensureInstalled({
    packages,
    isInstalled: () => isOnPath(program),
    instructions:
      `${program} is not installed. On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y ` +
      `${packages.join(' ')}. Elsewhere: install it and put it on the path.`,
    progress: `  installing ${packages.join(', ')} with apt-get (once) …`,
    stillMissing: `${program} is not on the path`,
  })
}
