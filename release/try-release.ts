/** `npm run test:release`: builds the server twice, and runs archive and image as a new operator would. */
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../launcher/embedded-postgres/embedded-postgres.ts'
import { runProgram } from '../setup/clients/run-program.ts'
import { ROOT } from '../setup/source-files.ts'
import { PLATFORMS } from './platforms.ts'
import { extractArchive } from './trial/extract-archive.ts'
import { extractImage } from './trial/extract-image.ts'
import { type InstalledServer, runAsOperator } from './trial/run-as-operator.ts'

/** Of all files in the image, without compression. */
const IMAGE_BYTES_MAX = 250_000_000
const OUT = join(ROOT, 'artefacts', 'release')

const platform = PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch)
if (platform === undefined) {
  throw new Error(`Releases run on ${PLATFORMS.map(({ name }) => name).join(' and ')} only`)
}
const folder = await mkdtemp(join(tmpdir(), 'havn-try-release-'))
// Programs of the release run as another user.
await chmod(folder, 0o755)
try {
  await compareBuilds(platform.name)
  const files = (await readdir(OUT)).map((name) => join(OUT, name))
  const archive = await extractArchive(named(files, '.tar.gz'), join(folder, 'archive'))
  await runWithDatabase(archive, 'archive')
  const image = await extractImage(named(files, '.oci.tar'), join(folder, 'image'))
  console.log(`The image has ${(image.bytes / 1e6).toFixed(0)} MB unpacked`)
  if (image.bytes > IMAGE_BYTES_MAX) {
    throw new Error(`The image is larger than ${IMAGE_BYTES_MAX / 1e6} MB`)
  }
  await runWithDatabase(image, 'image')
  console.log('\nThe release passed')
} catch (error) {
  console.error(`\nThe release FAILED: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Each installation has a database of its own, because it has a master key of its own. */
async function runWithDatabase(server: InstalledServer, name: string): Promise<void> {
  const database = join(folder, `${name}-database`)
  try {
    const { connectionString } = await startEmbeddedPostgres({ dataDir: database, log: { info: () => undefined } })
    await runAsOperator(server, { folder: join(folder, `${name}-data`), databaseUrl: connectionString })
  } finally {
    await removeEmbeddedPostgres(database)
  }
}

/** Two builds have the same checksums. */
async function compareBuilds(name: string): Promise<void> {
  const [first, second] = [await buildServer(name), await buildServer(name)]
  if (first !== second) {
    throw new Error(`Two builds differ:\n${first}\n${second}`)
  }
  console.log(`Two builds have the same checksums:\n${first}`)
}

async function buildServer(name: string): Promise<string> {
  console.log(`Building the server for ${name} …`)
  const options = ['--only-server', '--uncommitted', '--platform', name]
  await runProgram(process.execPath, [join(ROOT, 'release', 'release.ts'), ...options], { folder: ROOT })
  return await readFile(join(OUT, 'SHA256SUMS'), 'utf8')
}

function named(files: readonly string[], ending: string): string {
  const found = files.find((file) => file.endsWith(ending))
  if (found === undefined) {
    throw new Error(`The release has no ${ending}`)
  }
  return found
}
