/** Ensures that the browser of the journey tests is installed; installs Debian's when that is possible. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findChromium } from '../gateway/testing/browser/find-chromium.ts'

const run = promisify(execFile)
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024

/** Does nothing when a browser is found; otherwise installs one, or throws with instructions. */
export async function ensureChromium(): Promise<void> {
  if ((await findChromium()) !== undefined) {
    return
  }
  if (process.getuid?.() !== 0 || !(await hasAptGet())) {
    throw new Error(
      'The journey tests drive Chromium, which is not installed. ' +
        'On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y chromium. Elsewhere: install Chrome.',
    )
  }
  console.log('Installing Chromium for the journey tests (once, about a minute) …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env, maxBuffer: OUTPUT_MAX_BYTES })
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env, maxBuffer: OUTPUT_MAX_BYTES })
  if ((await findChromium()) === undefined) {
    throw new Error('apt-get installed chromium, but no browser was found')
  }
}

async function hasAptGet(): Promise<boolean> {
  return await run('apt-get', ['--version']).then(
    () => true,
    () => false,
  )
}
