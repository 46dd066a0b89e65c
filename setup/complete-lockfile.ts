/** Adds optional packages for other platforms to the lockfile, which npm leaves out when its registry hides them. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ROOT } from './source-files.ts'

const Names = Type.Optional(Type.Record(Type.String(), Type.String()))
const Locked = Type.Object({ dev: Type.Optional(Type.Boolean()), optionalDependencies: Names })
const Lockfile = Type.Object({ packages: Type.Record(Type.String(), Locked) })
type Packages = Static<typeof Lockfile>['packages']

/** An optional package that an entry names and the lockfile lacks; `npm ci` rejects such a lockfile. */
export type Missing = { readonly name: string; readonly version: string; readonly dev: boolean }

const LOCKFILE = join(ROOT, 'package-lock.json')
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/
const run = promisify(execFile)
const OS = /^(aix|android|darwin|freebsd|linux|openharmony|sunos|win32)$/
const CPU = /^(arm|arm64|ia32|loong64|ppc64|riscv64|s390x|x64)$/

export function missingFrom(packages: Packages): readonly Missing[] {
  return Object.entries(packages).flatMap(([path, { dev = false, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesOf(path, name).some((place) => place in packages))
      .map(([name, version]) => ({ name, version, dev })),
  )
}

/** The paths where Node resolves a package that is required at this path: from there upwards. */
function placesOf(path: string, name: string): readonly string[] {
  const steps = path === '' ? [] : path.split('/node_modules/')
  const folders = steps.map((_, index) => steps.slice(0, index + 1).join('/node_modules/'))
  return [`node_modules/${name}`, ...folders.map((folder) => `${folder}/node_modules/${name}`)]
}

/** The entry states its platform, so that npm skips it on all others without requesting it. */
async function entryOf({ name, version, dev }: Missing) {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => OS.test(word))
  const cpu = words.filter((word) => CPU.test(word))
  if (!/^\d+\.\d+\.\d+/.test(version) || os.length !== 1 || cpu.length !== 1) {
    throw new Error(`${name}@${version} does not say one version and one platform: complete the lockfile by hand`)
  }
  const isMusl = words.some((word) => word.startsWith('musl'))
  const libc = os[0] === 'linux' ? { libc: [isMusl ? 'musl' : 'glibc'] } : {}
  const integrity = await integrityOf(name, version)
  return { version, integrity, cpu, ...(dev ? { dev } : {}), ...libc, optional: true, os }
}

/** Without it, npm would install any version of the registry on that platform. */
async function integrityOf(name: string, version: string): Promise<string> {
  const view = run('npm', ['view', `${name}@${version}`, 'dist.integrity']).catch(() => ({ stdout: '' }))
  const integrity = (await view).stdout.trim()
  if (!INTEGRITY.test(integrity)) {
    throw new Error(
      `The registry has no ${name}@${version}: choose a version of what needs it that is there for all platforms`,
    )
  }
  return integrity
}

/** The lockfile's packages as plain JSON, with the missing ones in npm's order. */
async function completed(
  packages: Readonly<Record<string, unknown>>,
  missing: readonly Missing[],
): Promise<Record<string, unknown>> {
  const entries = missing.map(
    async (one): Promise<[string, unknown]> => [`node_modules/${one.name}`, await entryOf(one)],
  )
  const added = await Promise.all(entries)
  return Object.fromEntries(
    [...Object.entries(packages), ...added].sort(([one], [other]) => one.localeCompare(other, 'en')),
  )
}

if (import.meta.main) {
  const lockfile = JSON.parse(await readFile(LOCKFILE, 'utf8'))
  const missing = missingFrom(Value.Parse(Lockfile, lockfile).packages)
  const packages = await completed(lockfile.packages, missing)
  await writeFile(LOCKFILE, `${JSON.stringify({ ...lockfile, packages }, null, 2)}\n`)
  console.log(`Added ${missing.length} packages for other platforms to package-lock.json`)
}
