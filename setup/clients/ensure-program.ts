/** Ensures that a program which a client needs is installed; installs Debian's packages when that is possible. */
import { canInstallPackages, installDebianPackage } from '../install-debian-package.ts'
import { isOnPath } from './run-program.ts'

/** Does nothing when it is on the path; otherwise installs the packages, or throws with instructions. */
export async function ensureProgram(program: string, packages: readonly [string, ...string[]]): Promise<void> {
  if (await isOnPath(program)) {
    return
  }
  if (!(await canInstallPackages())) {
    throw new Error(
      `${program} is not installed. On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y ` +
        `${packages.join(' ')}. Elsewhere: install it and put it on the path.`,
    )
  }
  console.log(`  installing ${packages.join(', ')} with apt-get (once) …`)
  for (const name of packages) {
    await installDebianPackage(name)
  }
  if (!(await isOnPath(program))) {
    throw new Error(`apt-get installed ${packages.join(', ')}, but ${program} is not on the path`)
  }
}
