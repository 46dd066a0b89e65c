/** Runs `npm ci` when the installed packages differ from the lockfile. */
// @ts-check
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * One package as both lockfiles describe it.
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 */
/** @typedef {Record<string, LockedPackage>} LockedPackages */

/** npm prints nothing for minutes; progress output shows that it is running. */
const SAY_SOMETHING_MILLISECONDS = 5_000
/** The interval for checking whether the starting terminal is gone. */
const PARENT_LOOK_MILLISECONDS = 500

/**
 * Whether the installed packages are those of the lockfile; npm keeps its own record of what it installed.
 * @param {string} root
 */
export async function isInstalled(root) {
  const wanted = await readPackages(join(root, 'package-lock.json'))
  const present = await readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (wanted === undefined) {
    throw new Error('package-lock.json is missing or unreadable: this clone is incomplete')
  }
  return present !== undefined && agrees(wanted, present)
}

/**
 * Optional packages may be absent: most are for other platforms.
 * @param {LockedPackages} wanted
 * @param {LockedPackages} present
 */
export function agrees(wanted, present) {
  const names = new Set([...Object.keys(wanted), ...Object.keys(present)])
  names.delete('')
  return [...names].every((name) => {
    const want = wanted[name]
    const have = present[name]
    if (want === undefined || have === undefined) {
      return want?.optional === true
    }
    return want.version === have.version && want.integrity === have.integrity
  })
}

/**
 * Runs `npm ci` with the npm that runs us, else with the one on the path.
 * @param {string} root
 */
export async function installPackages(root) {
  console.log('Installing packages and the runtime (once, and after updates) …')
  const begun = Date.now()
  const seconds = () => Math.round((Date.now() - begun) / 1000)
  const npm = process.env['npm_execpath']
  const command = npm?.endsWith('.js') === true ? [process.execPath, npm] : ['npm']
  const [program = 'npm', ...first] = command
  const options = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn(program, [...first, ...options], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let reported = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      reported += text
    })
  }
  const progress = setInterval(() => console.log(`  still installing, ${seconds()} s`), SAY_SOMETHING_MILLISECONDS)
  const stopFollowing = endWithParent(child)
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  clearInterval(progress)
  stopFollowing()
  if (code !== 0) {
    throw new Error(`npm ci failed:\n${reported}`)
  }
  console.log(`Installed in ${seconds()} s`)
}

/**
 * The shell from which npm starts us dies of a signal without forwarding it: npm ci must not continue without it.
 * @param {import('node:child_process').ChildProcess} child
 */
function endWithParent(child) {
  const parent = process.ppid
  const end = () => {
    child.kill('SIGTERM')
    process.exit(1)
  }
  const watch = setInterval(() => process.ppid !== parent && end(), PARENT_LOOK_MILLISECONDS)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(name, end)
  }
  return () => clearInterval(watch)
}

/**
 * @param {string} file
 * @returns {Promise<LockedPackages | undefined>}
 */
async function readPackages(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
