/** Finds the installed Chromium for journeys. */
import { access } from 'node:fs/promises'

/** Debian's browser first: the test setup installs it. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of an installed Chromium or Chrome, or undefined. */
export async function findChromium(): Promise<string | undefined> {
  for (const place of PLACES) {
    const found = await access(place).then(
      () => true,
      () => false,
    )
    if (found) {
      return place
    }
  }
  return undefined
}
