/** Extracts archives and images of a release into folders. */
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ensurePrograms } from '../../setup/clients/ensure-programs.ts'
import { runProgram } from '../../setup/clients/run-program.ts'
import type { InstalledServer } from './run-as-operator.ts'

/** A user that owns nothing, where this process may change to it. */
const NOBODY = 65_534

export async function extractArchive(file: string, folder: string): Promise<InstalledServer> {
  await mkdir(folder, { recursive: true })
  await runProgram('tar', ['--extract', '--gzip', '--file', file, '--directory', folder], { folder })
  const [name = ''] = await readdir(folder)
  const program = join(folder, name, 'havn')
  const isRoot = process.getuid?.() === 0
  const asNobody = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  return {
    title: 'The archive',
    user: isRoot ? NOBODY : undefined,
    data: (dataFolder) => dataFolder,
    command: (settings) => {
      const variables = Object.entries({ PATH: '/usr/bin:/bin', ...settings }).map(([key, value]) => `${key}=${value}`)
      return [...asNobody, 'env', '-i', ...variables, program]
    },
  }
}

/** Where programs in the image see the data folder. */
const DATA = '/tmp/data'

const Digested = Type.Object({ digest: Type.String() })
const Index = Type.Object({ manifests: Type.Array(Digested) })
const Manifest = Type.Object({ config: Digested, layers: Type.Array(Digested) })
const Config = Type.Object({
  config: Type.Object({
    User: Type.String(),
    Env: Type.Array(Type.String()),
    Entrypoint: Type.Array(Type.String()),
    WorkingDir: Type.String(),
  }),
})

type ImageConfig = Static<typeof Config>['config']

/** A server in an unpacked image, and the size of that. */
type ExtractedImage = InstalledServer & { readonly bytes: number }

/** What runs the programs of another architecture: its own name, and the package of the runtime in the image. */
export type Emulator = { readonly name: string; readonly runtime: string }

export async function extractImage(file: string, folder: string, emulator?: Emulator): Promise<ExtractedImage> {
  await ensurePrograms(['bwrap'], ['bubblewrap'])
  const [layout, root] = [join(folder, 'layout'), join(folder, 'root')]
  await Promise.all([layout, root].map((path) => mkdir(path, { recursive: true })))
  await runProgram('tar', ['--extract', '--file', file, '--directory', layout], { folder })
  const blobOf = (digest: string) => join(layout, 'blobs', ...digest.split(':'))
  const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))
  const index = Value.Parse(Index, await read(join(layout, 'index.json')))
  const manifest = Value.Parse(Manifest, await read(blobOf(index.manifests[0]?.digest ?? '')))
  for (const { digest } of manifest.layers) {
    await runProgram('tar', ['--extract', '--gzip', '--file', blobOf(digest), '--directory', root], { folder })
  }
  const { config } = Value.Parse(Config, await read(blobOf(manifest.config.digest)))
  const [size = '0'] = (await runProgram('du', ['--summarize', '--bytes', root], { folder })).split('\t')
  if (emulator === undefined) {
    return { ...startedInNamespaces(root, config, config.Entrypoint), bytes: Number(size) }
  }
  await copyFile(await pathOf(emulator.name), join(root, 'bin', emulator.name))
  return { ...startedInNamespaces(root, config, emulatedEntrypoint(config, emulator)), bytes: Number(size) }
}

/** The kernel starts no program of another architecture: the script of the entry point is left out. */
function emulatedEntrypoint({ WorkingDir }: ImageConfig, { name, runtime }: Emulator): readonly string[] {
  return [`/bin/${name}`, `${WorkingDir}/node_modules/${runtime}/bin/node`, `${WorkingDir}/cli/havn.ts`]
}

async function pathOf(program: string): Promise<string> {
  return (await runProgram('sh', ['-c', `command -v ${program}`], { folder: '/' })).trim()
}

/** The data folder is the only one that can be written, as a volume would be. */
function startedInNamespaces(root: string, config: ImageConfig, entrypoint: readonly string[]): InstalledServer {
  const [user = '', group = ''] = config.User.split(':')
  const own = config.Env.map(splitOnce)
  return {
    title: 'The image',
    user: undefined,
    data: () => DATA,
    command: (settings, dataFolder) => [
      ...['bwrap', '--unshare-user', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--ro-bind', root, '/'],
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--bind', dataFolder, DATA],
      ...['--uid', user, '--gid', group, '--chdir', config.WorkingDir, '--clearenv'],
      ...[...own, ...Object.entries(settings)].flatMap((setting) => ['--setenv', ...setting]),
      ...entrypoint,
    ],
  }
}

function splitOnce(line: string): readonly [string, string] {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}
