/** Ensures that Mono is installed, which compiles and runs C#: no registry that is used here has .NET for Linux. */
import { existsSync } from 'node:fs'
import { ensureInstalled } from '../install-debian-packages.ts'
import { isOnPath } from './run-program.ts'

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
    instructions: `Mono is not installed. On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y ${PACKAGES.join(' ')}.`,
    progress: '  installing Mono with apt-get (once) …',
    stillMissing: 'Mono is not complete',
  })
}
