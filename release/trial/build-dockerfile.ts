/** Builds the Dockerfile with podman, on a stand-in for its base image that debootstrap makes, and says how it is run. */
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isOnPath, runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { NotRunError } from '../../setup/trials/trial-step.ts'
import { IMAGE_USER } from '../image/server-image.ts'
import type { Platform } from '../platforms.ts'
import type { InstalledServer } from './run-as-operator.ts'

const DOCKERFILE = join(ROOT, 'release', 'image', 'Dockerfile')
const PROGRAMS = ['podman', 'crun', 'debootstrap']
const IMAGE = 'localhost/havn:trial'
/** Where programs in the container see the data folder. */
const DATA = '/tmp/data'
/** Limits of this process may be lower than those that podman sets by itself. */
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']

/** The image needs no network but that of `apt-get`; the base image has the name that the Dockerfile says. */
export async function buildDockerfile(
  folder: string,
  archive: string,
  platform: Platform,
): Promise<{ readonly server: InstalledServer; readonly seen: string }> {
  await requirePrograms()
  const base = /^FROM (\S+\/debian:(\w+)-slim)$/m.exec(await readFile(DOCKERFILE, 'utf8'))
  const [, name = '', suite = ''] = base ?? []
  const context = join(folder, 'context')
  await mkdir(context, { recursive: true })
  const [podman, ...own] = podmanWith(folder)
  const run = async (...options: readonly string[]) => await runProgram(podman, [...own, ...options], { folder })
  await requirePodman(run)
  const system = join(folder, 'base')
  await runProgram('debootstrap', ['--variant=minbase', suite, system], { folder })
  const tar = join(folder, 'base.tar')
  await runProgram('tar', ['--create', '--file', tar, '--directory', system, '.'], { folder })
  await run('import', tar, name)
  await copyFile(archive, join(context, basename(archive)))
  const version = /^havn-(.*)$/.exec(basename(archive, `-${platform.name}.tar.gz`))?.[1] ?? ''
  const values = [`VERSION=${version}`, `PLATFORM=${platform.name}`].flatMap((value) => ['--build-arg', value])
  const how = ['--pull=never', '--layers=false', '--isolation=chroot', '--network=host', '--format=docker']
  await run('build', ...how, ...values, '--tag', IMAGE, '--file', DOCKERFILE, context)
  await requireConfiguration(await run('image', 'inspect', IMAGE))
  return { server: startedByPodman(podmanWith(folder)), seen: `the Dockerfile is built on a debootstrap of ${suite}` }
}

async function requirePrograms(): Promise<void> {
  const found = await Promise.all(PROGRAMS.map(isOnPath))
  const missing = PROGRAMS.filter((_, index) => found[index] !== true)
  if (missing.length > 0 || process.getuid?.() !== 0) {
    const why = missing.length > 0 ? `${missing.join(', ')} cannot be installed` : 'debootstrap needs root'
    throw new NotRunError(`${why}: the Dockerfile was not built`)
  }
}

async function requirePodman(run: (...options: readonly string[]) => Promise<string>): Promise<void> {
  await run('info').catch((error: unknown) => {
    throw new NotRunError(`podman does not run on this machine: ${String(error)}`)
  })
}

/** Images and containers are below the folder. crun does not run where both versions of cgroups are mounted. */
function podmanWith(folder: string): readonly [string, ...string[]] {
  const script = 'umount /sys/fs/cgroup/unified 2> /dev/null; exec podman "$@"'
  const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver=vfs']
  const engine = ['--runtime=crun', '--cgroup-manager=cgroupfs', '--events-backend=none']
  return ['unshare', '--mount', 'sh', '-c', script, 'podman', ...storage, ...engine]
}

async function requireConfiguration(inspected: string): Promise<void> {
  for (const expected of [
    `"User": "${IMAGE_USER}:${IMAGE_USER}"`,
    '"/opt/havn/cli/havn",\n                    "health"',
  ]) {
    if (!inspected.includes(expected)) {
      throw new Error(`The image has no ${expected}:\n${inspected}`)
    }
  }
}

/** As the guide says: a read-only file system, no capabilities, and the data folder as the only volume. */
function startedByPodman(podman: readonly string[]): InstalledServer {
  const confined = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', '--network=host']
  // Without systemd there are no timers for health checks, and without cgroups of its own no limits of memory.
  const machine = ['--no-healthcheck', '--cgroups=disabled', ...LIMITS]
  return {
    title: 'The image of the Dockerfile',
    user: IMAGE_USER,
    data: () => DATA,
    command: (settings, dataFolder) => [
      ...[...podman, 'run', '--rm', ...confined, ...machine, '--volume', `${dataFolder}:${DATA}`],
      ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      IMAGE,
    ],
  }
}
