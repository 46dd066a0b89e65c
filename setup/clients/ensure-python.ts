/** Ensures that Python can create virtual environments; Debian has that in a package of its own. */
import { ensureInstalled } from '../install-debian-packages.ts'
import { ensureProgram } from './ensure-program.ts'
import { runProgram } from './run-program.ts'

/** Does nothing when it can; otherwise installs Debian's package, or throws with instructions. */
export async function ensurePython(folder: string): Promise<void> {
  await ensureProgram('python3', ['python3', 'python3-venv'])
  await ensureInstalled({
    packages: ['python3-venv'],
    isInstalled: () =>
      runProgram('python3', ['-c', 'import ensurepip, venv'], { folder }).then(
        () => true,
        () => false,
      ),
    instructions:
      'Python cannot create virtual environments. On Debian or Ubuntu: sudo apt-get update && ' +
      'sudo apt-get install -y python3-venv. Elsewhere: install Python 3.10 or newer with venv and ensurepip.',
    progress: '  installing python3-venv with apt-get (once) …',
    stillMissing: 'Python still cannot create virtual environments',
  })
}
