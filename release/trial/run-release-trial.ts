/** Tries a release below a folder, or the named parts of it: the program that `try-release.ts` contains. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../../launcher/embedded-postgres/embedded-postgres.ts'
import { createVenv } from '../../setup/clients/ensure-programs.ts'
import { isOnPath, runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { NotRunError, runTrial } from '../../setup/trials/trial-step.ts'
import { PLATFORMS, type Platform } from '../platforms.ts'
import { buildDockerfile } from './build-dockerfile.ts'
import { type Emulator, extractArchive, extractImage } from './extract.ts'
import { type InstalledServer, runAsOperator } from './run-as-operator.ts'

/** Of all files in the image, without compression. */
const IMAGE_BYTES_MAX = 250_000_000
const OUT = join(ROOT, 'artefacts', 'release')
/** Of Debian's package qemu-user-static. */
const EMULATORS: Readonly<Record<Platform['cpu'], string>> = {
  arm64: 'qemu-aarch64-static',
  x64: 'qemu-x86_64-static',
}

/** Apache-2.0; it brings the schemas, and those of SPDX's licences. */
const VALIDATOR = 'cyclonedx-python-lib[json-validation]==11.12.0'
/** Strict: properties that the schema does not name are errors. Prints the first error of each file. */
const PROGRAM = `
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
for file in sys.argv[1:]:
    text = open(file, encoding='utf-8').read()
    version = SchemaVersion.from_version(json.loads(text)['specVersion'])
    error = JsonStrictValidator(version).validate_str(text)
    if error is not None:
        place = '/'.join(str(part) for part in error.data.absolute_path)
        sys.exit(f'{file}: {place}: {error.data.validator}: {error.data.message[:200]}')
`

const [folder = '', ...names] = process.argv.slice(2)
const own = PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch)
const other = PLATFORMS.find((platform) => platform !== own)
if (own === undefined || other === undefined) {
  throw new Error(`Releases run on ${PLATFORMS.map(({ name }) => name).join(' and ')} only`)
}
await runTrial(
  [
    { name: 'builds', how: 'real', run: () => compareBuilds(own, other) },
    { name: 'bill', how: 'validated', run: validateReleasedBills },
    { name: 'archive', how: 'real', run: (place) => tryArchive(place, own) },
    { name: 'image', how: 'real', run: (place) => tryImage(place, own) },
    { name: other.name, how: 'real', run: (place) => tryEmulated(place, other) },
    { name: 'dockerfile', how: 'real', run: (place) => tryDockerfile(place, own) },
  ],
  names,
  folder,
)

/** Two builds of this machine's platform have the same checksums. The second one builds the other platform, too. */
async function compareBuilds(platform: Platform, second: Platform): Promise<string> {
  const first = await buildServer(platform)
  const both = await buildServer(platform, second)
  const differing = first.split('\n').filter((line) => !both.includes(line))
  if (differing.length > 0) {
    throw new Error(`Two builds differ:\n${first}\n${both}`)
  }
  return `two builds for ${platform.name} have the same checksums, and one for ${second.name}`
}

async function buildServer(...platforms: readonly Platform[]): Promise<string> {
  const options = ['--only-server', '--uncommitted', ...platforms.flatMap(({ name }) => ['--platform', name])]
  await runProgram(process.execPath, [join(ROOT, 'release', 'release.ts'), ...options], { folder: ROOT })
  return await readFile(join(OUT, 'SHA256SUMS'), 'utf8')
}

async function validateReleasedBills(place: string): Promise<string> {
  await mkdir(place, { recursive: true })
  const [first, ...more] = (await readdir(OUT)).filter((name) => name.endsWith('.cdx.json'))
  if (first === undefined) {
    throw new Error(`${OUT} has no bill of materials`)
  }
  await validateBills(place, [join(OUT, first), ...more.map((name) => join(OUT, name))])
  return `${more.length + 1} bills of materials are valid by the schema of CycloneDX, and damaged ones are not`
}

/** Throws with the first error. A validator that accepts everything would show nothing: damaged copies must have errors. */
async function validateBills(folder: string, files: readonly [string, ...string[]]): Promise<void> {
  const programs = await createVenv(folder, 'python', [VALIDATOR])
  const validate = async (...names: readonly string[]) =>
    await runProgram(join(programs, 'python'), ['-c', PROGRAM, ...names], { folder })
  await validate(...files)
  const text = await readFile(files[0], 'utf8')
  for (const [from, to] of [
    ['"type": "library"', '"type": "book"'],
    ['"alg": "SHA-512"', '"algorithm": "SHA-512"'],
    ['"id": "MIT"', '"id": "The usual licence"'],
  ] as const) {
    const damaged = join(folder, 'damaged.cdx.json')
    if (!text.includes(from)) {
      throw new Error(`${files[0]} has no ${from} to damage`)
    }
    await writeFile(damaged, text.replace(from, to))
    await validate(damaged).then(
      () => Promise.reject(new Error(`The schema accepts ${to}`)),
      () => undefined,
    )
  }
}

async function tryArchive(place: string, platform: Platform): Promise<string> {
  await runWithDatabase(await extractArchive(await released(platform, '.tar.gz'), join(place, 'archive')), place)
  return 'from the archive to a token'
}

async function tryImage(place: string, platform: Platform): Promise<string> {
  const image = await extractImage(await released(platform, '.oci.tar'), join(place, 'image'))
  if (image.bytes > IMAGE_BYTES_MAX) {
    throw new Error(`The image is larger than ${IMAGE_BYTES_MAX / 1e6} MB`)
  }
  await runWithDatabase(image, place)
  return `from the image, which has ${(image.bytes / 1e6).toFixed(0)} MB unpacked, to a token; read-only and not as root`
}

/** The image has the C library of its architecture, too. */
async function tryEmulated(place: string, platform: Platform): Promise<string> {
  const emulator: Emulator = { name: EMULATORS[platform.cpu], runtime: `node-${platform.name}` }
  if (!(await isOnPath(emulator.name))) {
    throw new NotRunError(`${emulator.name} is not installed: programs for ${platform.name} were built and not run`)
  }
  const file = await released(platform, '.oci.tar')
  await runWithDatabase(await extractImage(file, join(place, 'image'), emulator), place)
  return `from the image for ${platform.name} to a token, by ${emulator.name}`
}

async function tryDockerfile(place: string, platform: Platform): Promise<string> {
  const built = await buildDockerfile(place, await released(platform, '.tar.gz'), platform)
  await runWithDatabase(built.server, place)
  return `${built.seen}; in containers, read-only and not as root, to a token`
}

async function released({ name }: Platform, ending: string): Promise<string> {
  const found = (await readdir(OUT)).find((file) => file.endsWith(`-${name}${ending}`))
  if (found === undefined) {
    throw new Error(`The release has no ${name}${ending}`)
  }
  return join(OUT, found)
}

/** Each installation has a database of its own, because it has a master key of its own. */
async function runWithDatabase(server: InstalledServer, place: string): Promise<void> {
  const database = join(place, 'database')
  try {
    const { connectionString } = await startEmbeddedPostgres({ dataDir: database, log: { info: () => undefined } })
    await runAsOperator(server, { folder: join(place, 'data'), databaseUrl: connectionString })
  } finally {
    await removeEmbeddedPostgres(database)
  }
}
