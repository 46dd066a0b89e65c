/** Finds the browser that journeys drive. */
import { access } from 'node:fs/promises'

/** Debian's browser first: it is what the test set-up installs. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The program of an installed Chromium or Chrome, or undefined. */
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
