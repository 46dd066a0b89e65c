/** Describes the container image of the server: its layers, its user, its command and its health check. */

import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOnPath, runProgram } from '../../setup/clients/run-program.ts'
import type { Platform } from '../platforms.ts'
import { writeImage } from './oci-image.ts'

/** Where the server is in the image. */
const PLACE = 'opt/havn'
/** Ports that Kubernetes' probes and the health check know; settings change them. */
const ENVIRONMENT = [
  'PATH=/opt/havn/cli:/opt/havn/node_modules/.bin:/usr/bin:/bin',
  'HAVN_HOST=0.0.0.0',
  'HAVN_PORT=8080',
  'HAVN_OPERATOR_PORT=8081',
  'HAVN_WORKER_PORT=8082',
  // The file system may be read-only.
  'NODE_COMPILE_CACHE=/tmp/havn-compiled',
]
const SECOND = 1_000_000_000

/** What the image is made of. */
export type ServerImage = {
  readonly version: string
  readonly commit: string
  readonly dateMilliseconds: number
  readonly platform: Platform
  /** The folder of the base system. */
  readonly system: string
  /** The folder of the server. */
  readonly server: string
}

/** Writes `file`; `work` is emptied. */
export async function writeServerImage(file: string, work: string, image: ServerImage): Promise<void> {
  const { version, commit, dateMilliseconds, platform, system, server } = image
  const annotations = {
    'org.opencontainers.image.title': 'Havn',
    'org.opencontainers.image.description': 'A gateway between partners’ software and the banks of their customers.',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commit,
    'org.opencontainers.image.licenses': 'Apache-2.0',
  }
  await writeImage(file, work, {
    architecture: platform.architecture,
    reference: `havn:${version}`,
    dateMilliseconds,
    layers: [
      { folder: system, createdBy: 'Debian packages: C libraries and dash' },
      { folder: server, place: PLACE, createdBy: `havn ${version}` },
    ],
    config: {
      User: `${IMAGE_USER}:${IMAGE_USER}`,
      Env: ENVIRONMENT,
      Entrypoint: [`/${PLACE}/cli/havn`],
      Cmd: ['gateway'],
      WorkingDir: `/${PLACE}`,
      ExposedPorts: { '8080/tcp': {}, '8081/tcp': {}, '8082/tcp': {} },
      StopSignal: 'SIGTERM',
      // Not part of the OCI specification: Docker reads it, Kubernetes has probes of its own.
      Healthcheck: {
        Test: ['CMD', `/${PLACE}/cli/havn`, 'health'],
        Interval: 15 * SECOND,
        Timeout: 5 * SECOND,
        StartPeriod: 20 * SECOND,
        Retries: 3,
      },
      Labels: annotations,
    },
    annotations,
  })
}

/** glibc, the run-time libraries of the compiler, and dash, in which the `havn` script is written. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1', 'dash']
/** The user that programs of the image run as; numeric, so that Kubernetes knows that it is not root. */
export const IMAGE_USER = 10001

/** Documentation, and conversions of character sets that Node has itself. */
const OF_NO_USE = [
  ...['usr/share/man', 'usr/share/info', 'usr/share/locale', 'usr/share/lintian', 'usr/share/menu'],
  ...['usr/share/debianutils', 'usr/share/gdb', 'usr/share/gcc'],
]

/** A package of the base system: for the bill of materials. */
export type BasePackage = { readonly name: string; readonly version: string }

/** Whether this machine can fetch Debian's packages. */
export async function canFetchPackages(): Promise<boolean> {
  return (await isOnPath('apt-get')) && (await isOnPath('dpkg-deb'))
}

/** Empties the folder, fills it, and returns the packages in it. `work` is a folder for downloads. */
export async function stageBaseSystem(
  folder: string,
  work: string,
  { architecture }: Platform,
): Promise<readonly BasePackage[]> {
  await Promise.all([folder, work].map((path) => rm(path, { recursive: true, force: true })))
  await mkdir(folder, { recursive: true })
  const packages = await download(work, architecture)
  for (const file of packages) {
    await runProgram('dpkg-deb', ['--extract', join(work, file), folder], { folder: work })
  }
  await Promise.all(OF_NO_USE.map((name) => rm(join(folder, name), { recursive: true, force: true })))
  await addAccountsAndMountPoints(folder)
  return packages.map(packageOf)
}

/** With lists of its own, because a machine has lists for its own architecture only. Returns the names of the files. */
async function download(work: string, architecture: string): Promise<readonly string[]> {
  const [lists, cache] = [join(work, 'lists'), join(work, 'cache')]
  await mkdir(join(lists, 'partial'), { recursive: true })
  await mkdir(join(cache, 'archives', 'partial'), { recursive: true })
  const own = [
    ...[`APT::Architecture=${architecture}`, `APT::Architectures=${architecture}`],
    ...[`Dir::State::lists=${lists}`, `Dir::Cache=${cache}`, 'Dir::State::status=/dev/null', 'APT::Sandbox::User='],
  ].flatMap((option) => ['-o', option])
  await runProgram('apt-get', [...own, 'update'], { folder: work })
  await runProgram('apt-get', [...own, 'download', ...PACKAGES], { folder: work })
  return (await readdir(work)).filter((name) => name.endsWith('.deb')).sort()
}

async function addAccountsAndMountPoints(folder: string): Promise<void> {
  await mkdir(join(folder, 'etc'), { recursive: true })
  const user = `havn:x:${IMAGE_USER}:${IMAGE_USER}:Havn:/opt/havn:/usr/sbin/nologin`
  await writeFile(join(folder, 'etc', 'passwd'), `root:x:0:0:root:/root:/usr/sbin/nologin\n${user}\n`)
  await writeFile(join(folder, 'etc', 'group'), `root:x:0:\nhavn:x:${IMAGE_USER}:\n`)
  // Where engines mount, also when the file system is read-only.
  await Promise.all(['proc', 'sys', 'dev', 'tmp'].map((name) => mkdir(join(folder, name), { recursive: true })))
  const shell = join(folder, 'bin', 'sh')
  await symlink('dash', shell).catch((error: unknown) => {
    if (Object(error).code !== 'EEXIST') {
      throw error
    }
  })
}

/** `libc6_2.36-9+deb12u10_amd64.deb`, in which a colon of the version is written `%3a`. */
function packageOf(file: string): BasePackage {
  const [name = '', version = ''] = file.split('_')
  return { name, version: decodeURIComponent(version) }
}
