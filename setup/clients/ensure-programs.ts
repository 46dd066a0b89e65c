/** Provides the programs that trials and the clients' steps need, installed where they are missing. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from '../../gateway/testing/debian-packages.ts'
import { isOnPath, runProgram } from './run-program.ts'

/** Does nothing when all are on the path; otherwise installs the packages, or throws with instructions. */
export async function ensurePrograms(
  programs: readonly string[],
  packages: readonly [string, ...string[]],
): Promise<void> {
  const missing = async () => {
    const found = await Promise.all(programs.map(isOnPath))
    return programs.filter((_, index) => found[index] !== true)
  }
  const [first] = await missing()
  await ensureInstalled({
    packages,
    isInstalled: async () => (await missing()).length === 0,
    instructions: `${first} is not installed. ${instructionsFor(packages)} Elsewhere: install it and put it on the path.`,
    progress: `  installing ${packages.join(', ')} with apt-get (once) …`,
    stillMissing: `not all of these are on the path: ${programs.join(', ')}`,
  })
}

function instructionsFor(packages: readonly string[]): string {
  return `On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y ${packages.join(' ')}.`
}

const PYTHON_PACKAGES = ['python3', 'python3-venv'] as const

/** Does nothing when Python can create virtual environments; otherwise installs it, or throws with instructions. */
export async function ensurePython(folder: string): Promise<void> {
  await ensureInstalled({
    packages: PYTHON_PACKAGES,
    isInstalled: () =>
      runProgram('python3', ['-c', 'import ensurepip, venv'], { folder }).then(
        () => true,
        () => false,
      ),
    instructions:
      'There is no Python that can create virtual environments. ' +
      `${instructionsFor(PYTHON_PACKAGES)} Elsewhere: install Python 3.10 or newer with venv and ensurepip.`,
    progress: `  installing ${PYTHON_PACKAGES.join(', ')} with apt-get (once) …`,
    stillMissing: 'Python still cannot create virtual environments',
  })
}

/** Creates a virtual environment with these packages; returns the folder of its programs. */
export async function createVenv(folder: string, name: string, packages: readonly string[]): Promise<string> {
  await ensurePython(folder)
  const programs = join(folder, name, 'bin')
  await runProgram('python3', ['-m', 'venv', name], { folder })
  await runProgram(join(programs, 'python'), ['-m', 'pip', 'install', '--quiet', ...packages], { folder })
  return programs
}

/** Compiler, runtime and the libraries that our programs and the generated client refer to. */
const PACKAGES = [
  'mono-mcs',
  'mono-runtime',
  'libmono-system-componentmodel-dataannotations4.0-cil',
  'libmono-system-net-http4.0-cil',
  'libmono-system-runtime-serialization4.0-cil',
  'libmono-system-web4.0-cil',
  'libmono-system-web-extensions4.0-cil',
] as const
/** Where Debian has them. */
const LIBRARIES = [
  'System.ComponentModel.DataAnnotations',
  'System.Net.Http',
  'System.Runtime.Serialization',
  'System.Web',
  'System.Web.Extensions',
].map((name) => `/usr/lib/mono/4.5/${name}.dll`)

/** Does nothing when it is; otherwise installs Debian's packages, or throws with instructions. */
export async function ensureMono(): Promise<void> {
  await ensureInstalled({
    packages: PACKAGES,
    isInstalled: async () => LIBRARIES.every((path) => existsSync(path)) && (await isOnPath('mcs')),
    instructions: `Mono is not installed. ${instructionsFor(PACKAGES)}`,
    progress: '  installing Mono with apt-get (once) …',
    stillMissing: 'Mono is not complete',
  })
}
