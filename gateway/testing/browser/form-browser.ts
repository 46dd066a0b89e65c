/** Simulates a browser on our pages: stores cookies, follows our redirects and submits forms. */
import { lightFetch } from '../gateway/light-fetch.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { ENGLISH } from './bank-user.ts'

/** A loaded page. */
export type SeenPage = {
  readonly status: number
  /** The final URL, without our origin. */
  readonly place: string
  readonly html: string
  readonly headers: Headers
}

export type FormBrowser = {
  open(address: string, headers?: Readonly<Record<string, string>>): Promise<SeenPage>
  /** Submits a form to a path below the page's, with the hidden fields of the current page. */
  send(action: string, fields?: Readonly<Record<string, string>>): Promise<SeenPage>
  /** Sends a raw body. */
  post(address: string, body: string | URLSearchParams | FormData): Promise<SeenPage>
  /** Another tab with the same cookies and its own current page. */
  tab(): FormBrowser
  /** The current page. */
  page(): SeenPage
  cookies(): string
}

const REDIRECTS_MAX = 6
const NOWHERE: SeenPage = { status: 0, place: '', html: '', headers: new Headers() }

/** A browser without cookies. */
export function openFormBrowser({ url: base }: Pick<TestGateway, 'url'>, jar = new Map<string, string>()): FormBrowser {
  let shown = NOWHERE
  const ask = async (address: string, init: RequestInit): Promise<SeenPage> => {
    let url = new URL(address, base)
    let requested = init
    for (let hops = 0; hops < REDIRECTS_MAX; hops += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await lightFetch(url, {
        ...requested,
        headers: { ...ENGLISH, ...requested.headers, cookie },
      })
      storeCookies(jar, response.headers)
      const location = response.headers.get('location')
      if (response.status !== 303 || location === null) {
        return {
          status: response.status,
          place: placeOf(url, base),
          html: await response.text(),
          headers: response.headers,
        }
      }
      await response.body?.cancel()
      url = new URL(location, url)
      requested = { method: 'GET' }
      if (url.origin !== new URL(base).origin) {
        return { ...NOWHERE, status: response.status, place: url.href, headers: response.headers }
      }
    }
    throw new Error(`${address} has an endless redirect`)
  }
  const show = async (seen: Promise<SeenPage>) => {
    shown = await seen
    return shown
  }
  return {
    open: (address, headers = {}) => show(ask(address, { method: 'GET', headers })),
    send: (action, fields = {}) =>
      show(ask(action, { method: 'POST', body: new URLSearchParams({ ...hiddenOf(shown.html), ...fields }) })),
    post: (address, body) => show(ask(address, { method: 'POST', body })),
    tab: () => openFormBrowser({ url: base }, jar),
    page: () => shown,
    cookies: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
  }
}

function placeOf(url: URL, base: string): string {
  return url.href.startsWith(base) ? url.href.slice(base.length) : url.href
}

/** Paths and expiry of cookies are not simulated: each test browser has one onboarding. */
function storeCookies(jar: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name !== undefined && value !== undefined) {
      jar.set(name, value)
    }
  }
}

/** The hidden fields of the first form with any. */
function hiddenOf(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}
