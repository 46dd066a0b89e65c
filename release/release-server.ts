/** Builds the server for one platform: its archive, its container image, and its bill of materials. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { billOfMaterials, readInstalledPackages, thirdPartyLicences } from './bill-of-materials.ts'
import { canFetchPackages, stageBaseSystem, writeServerImage } from './image/server-image.ts'
import type { Platform } from './platforms.ts'
import { packReproducibly } from './reproducible-tar.ts'
import { stageServer } from './stage-server.ts'

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
