/** Plays a browser on our pages without one: keeps cookies, follows redirects of ours, and sends the forms it was shown. */
import type { WholeGateway } from '../gateway/test-gateway.ts'

/** A page as a browser has it. */
export type SeenPage = {
  readonly status: number
  /** Where the browser is in the end, without our address; an address elsewhere stays whole. */
  readonly place: string
  readonly html: string
  readonly headers: Headers
}

/** What it can do. */
export type FormBrowser = {
  open(address: string, headers?: Readonly<Record<string, string>>): Promise<SeenPage>
  /** Sends a form to an address below the page's path, with the hidden fields of the page that is shown. */
  send(action: string, fields?: Readonly<Record<string, string>>): Promise<SeenPage>
  /** Sends a body as it is. */
  post(address: string, body: string | URLSearchParams | FormData): Promise<SeenPage>
  /** Another tab: the same cookies, and what it was shown itself. */
  tab(): FormBrowser
  /** The page that is shown. */
  page(): SeenPage
  cookies(): string
}

const REDIRECTS_MAX = 6
const NOWHERE: SeenPage = { status: 0, place: '', html: '', headers: new Headers() }

/** A browser that nobody knows yet. */
export function openFormBrowser(
  { url: base }: Pick<WholeGateway, 'url'>,
  jar = new Map<string, string>(),
): FormBrowser {
  let shown = NOWHERE
  const ask = async (address: string, init: RequestInit): Promise<SeenPage> => {
    let url = new URL(address, base)
    let asked = init
    for (let hops = 0; hops < REDIRECTS_MAX; hops += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, { ...asked, redirect: 'manual', headers: { ...asked.headers, cookie } })
      keepCookies(jar, response.headers)
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
      asked = { method: 'GET' }
      if (url.origin !== new URL(base).origin) {
        return { ...NOWHERE, status: response.status, place: url.href, headers: response.headers }
      }
    }
    throw new Error(`${address} leads in circles`)
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

/** Paths and ends of cookies are not played: each browser of a test is on one onboarding. */
function keepCookies(jar: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name !== undefined && value !== undefined) {
      jar.set(name, value)
    }
  }
}

/** The hidden fields of the first form that has any. */
function hiddenOf(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}
