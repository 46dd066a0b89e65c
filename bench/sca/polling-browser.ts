/** Simulates a browser on a self-reloading page: it polls as often as the page says, until it is redirected. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from '../../gateway/testing/browser/bank-user.ts'

const REDIRECT_TIMEOUT_MILLISECONDS = 60_000
const IMAGE = /<img class="code" src="([^"]+)"/

/** Resolves with the moment of the redirect to the partner; any error response ends the bench. */
export async function reloadUntilRedirected(browser: Browser, address: string, callbackUrl: string): Promise<number> {
  const until = performance.now() + REDIRECT_TIMEOUT_MILLISECONDS
  let at = address
  while (performance.now() < until) {
    const response = await browser.ask(at)
    const location = response.headers.get('location')
    const now = performance.now()
    const page = await response.text()
    if (location?.startsWith(callbackUrl)) {
      requireSuccess(location)
      return now
    }
    if (location === null) {
      await reload(browser, at, { page, status: response.status, refresh: response.headers.get('refresh') })
    } else {
      at = new URL(location, at).href
    }
  }
  throw new Error(`Nobody was sent on from ${address}`)
}

type Shown = { readonly page: string; readonly status: number; readonly refresh: string | null }

/** Browsers count from when everything is loaded, including the image of a code. */
async function reload(browser: Browser, address: string, { page, status, refresh }: Shown): Promise<void> {
  if (refresh === null) {
    throw new Error(`${address} answered ${status} and a page that looks no more`)
  }
  const [, image] = IMAGE.exec(page) ?? []
  if (image !== undefined) {
    await (await browser.ask(new URL(image, address).href)).arrayBuffer()
  }
  await pause(Number(refresh) * 1000)
}

function requireSuccess(location: string): void {
  if (new URL(location).searchParams.get('status') !== 'success') {
    throw new Error(`A user who had signed was sent to ${location}`)
  }
}
