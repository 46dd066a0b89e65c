/** Ensures that the browser of the journey tests is installed; installs Debian's when that is possible. */
import { findChromium, HEADLESS_SHELL } from '../gateway/testing/browser/find-chromium.ts'
import { canInstallPackages, installDebianPackages } from './install-debian-packages.ts'

/** Installs the headless shell, or does with a browser that is there; without one it throws with instructions. */
export async function ensureChromium(): Promise<void> {
  const found = await findChromium()
  if (found === HEADLESS_SHELL) {
    return
  }
  const canInstall = await canInstallPackages()
  if (found === undefined && !canInstall) {
    throw new Error(
      'The journey tests drive Chromium, which is not installed. On Debian: ' +
        'sudo apt-get update && sudo apt-get install -y chromium-headless-shell. Elsewhere: install Chrome.',
    )
  }
  if (canInstall) {
    console.log('Installing Chromium’s headless shell for the journey tests (once, some seconds) …')
    await installDebianPackages(['chromium-headless-shell']).catch((error: unknown) => {
      if (found === undefined) {
        throw error
      }
      console.log(`It could not be installed; the tests take some seconds longer with ${found}.`)
    })
  }
}
