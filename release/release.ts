/** `npm run release`: builds everything that is published, reproducibly, in artefacts/release/. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPackage, packPackage } from '../sdk/build/build-package.ts'
import { runProgram } from '../setup/clients/run-program.ts'
import { buildPythonPackage } from '../setup/clients/sdk/build-python-package.ts'
import { ROOT } from '../setup/source-files.ts'
import { PLATFORMS } from './platforms.ts'
import { releaseServer } from './release-server.ts'

const HELP = `npm run release [-- options]

Builds the server as an archive and as a container image for each platform, the clients for TypeScript and Python,
bills of materials and checksums in artefacts/release/. Two builds of one commit are the same byte for byte.

Options:
  --platform NAME   only this platform (${PLATFORMS.map(({ name }) => name).join(', ')}); may be repeated
  --only-server     leave out the clients
  --uncommitted     build although the checkout has uncommitted changes, which are not in the release
  --help            print this`

const { values } = parseArgs({
  options: {
    platform: { type: 'string', multiple: true },
    'only-server': { type: 'boolean' },
    uncommitted: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

if (values.help === true) {
  console.log(HELP)
} else {
  await release().catch((error: unknown) => {
    console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })
}

async function release(): Promise<void> {
  const platforms = choosePlatforms(values.platform)
  if (values.uncommitted !== true) {
    await requireCleanCheckout()
  }
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const dateMilliseconds = Number(await git('log', '-1', '--format=%ct')) * 1000
  const commit = await git('rev-parse', 'HEAD')
  const out = join(ROOT, 'artefacts', 'release')
  const work = join(ROOT, 'artefacts', 'release-work')
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  try {
    for (const platform of platforms) {
      await releaseServer({ version: String(version), commit, dateMilliseconds, platform, out, work })
    }
    if (values['only-server'] !== true) {
      await releaseClients(join(out, 'clients'), work, dateMilliseconds)
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  await writeChecksums(out)
}

function choosePlatforms(names: readonly string[] | undefined) {
  const unknown = names?.find((name) => !PLATFORMS.some((platform) => platform.name === name))
  if (unknown !== undefined) {
    throw new Error(`There is no platform ${unknown}: ${PLATFORMS.map(({ name }) => name).join(' or ')}`)
  }
  return PLATFORMS.filter(({ name }) => names === undefined || names.includes(name))
}

/** What is released must be what the commit says. */
async function requireCleanCheckout(): Promise<void> {
  const changed = await git('status', '--porcelain')
  if (changed !== '') {
    throw new Error(`The checkout has uncommitted changes: commit or remove them first\n${changed}`)
  }
}

async function git(...options: readonly string[]): Promise<string> {
  return (await runProgram('git', options, { folder: ROOT })).trim()
}

async function releaseClients(out: string, work: string, dateMilliseconds: number): Promise<void> {
  console.log('Building the clients for TypeScript and Python')
  await mkdir(out, { recursive: true })
  await buildPackage(join(work, 'client'))
  await packPackage(join(work, 'client'), out)
  await mkdir(join(work, 'python'), { recursive: true })
  await buildPythonPackage({ folder: join(work, 'python'), out, dateMilliseconds })
}

/** In the form of `sha256sum --check`. */
async function writeChecksums(out: string): Promise<void> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const names = files.map(({ parentPath, name }) => relative(out, join(parentPath, name))).sort()
  const lines = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(out, name))
      const megabytes = (content.byteLength / 1e6).toFixed(1)
      return { name, megabytes, digest: createHash('sha256').update(content).digest('hex') }
    }),
  )
  await writeFile(join(out, 'SHA256SUMS'), lines.map(({ name, digest }) => `${digest}  ${name}\n`).join(''))
  const width = Math.max(...names.map((name) => name.length))
  const table = lines.map(
    ({ name, megabytes, digest }) => `${name.padEnd(width)} ${megabytes.padStart(7)} MB  ${digest}`,
  )
  console.log(`\n${table.join('\n')}\n\nReleased into ${out}`)
}
