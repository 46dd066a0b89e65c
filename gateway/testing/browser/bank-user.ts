/** Simulates a user with a browser without scripts: follows links, posts forms, stores cookies. */
import { lightFetch } from '../gateway/light-fetch.ts'

/** The user's decision at the bank. */
export type Visit = {
  readonly userId?: string
  readonly decision?: 'approve' | 'reject' | 'cancel'
}

const KARI = '01815012345'
const REDIRECTS_MAX = 10
/** Without it pages have the language of the bank's country. */
export const ENGLISH = { 'accept-language': 'en' }

/** Follows our link through the bank's pages and returns the final URL: the callback. */
export async function visitBank(link: string, { userId = KARI, decision = 'approve' }: Visit = {}): Promise<URL> {
  const { browser, address } = await loggedInAtBank(link, userId)
  const back = await browser.post(address, { decision })
  return await browser.follow(back)
}

/** Follows our link to the bank and logs in; the decision is to be posted to the returned address. */
export async function loggedInAtBank(link: string, userId: string): Promise<{ browser: Browser; address: string }> {
  const browser = openBrowser()
  await browser.get(link)
  const address = await browser.post(link, {})
  await browser.get(address)
  await browser.post(address, { userId })
  return { browser, address }
}

export type Browser = {
  /** The page at an address. Throws for an error status. */
  get(address: string): Promise<string>
  /** The answer at an address, including redirects; a form is posted. */
  ask(address: string, form?: Readonly<Record<string, string>>): Promise<Response>
  /** Posts a form and returns the redirect target. */
  post(address: string, form: Readonly<Record<string, string>>): Promise<string>
  /** Follows redirects until there is none, or until the target does not listen. */
  follow(address: string): Promise<URL>
}

/** The beginning of what a page says; of a text that is no page, all. */
function contentOf(html: string): string {
  return (/<main[\s\S]*/.exec(html)?.[0] ?? html).replaceAll(/\s+/g, ' ').slice(0, 400)
}

/** Opens a browser without cookies. */
export function openBrowser(): Browser {
  const cookies = new Map<string, string>()
  const send = async (address: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await lightFetch(address, { ...init, headers: { ...ENGLISH, cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name ?? '', value ?? '')
    }
    return response
  }
  return {
    ask: (address, form) => send(address, form && { method: 'POST', body: new URLSearchParams(form) }),
    get: async (address) => {
      const response = await send(address)
      if (response.status !== 200) {
        throw new Error(`${address} answered ${response.status}`)
      }
      return await response.text()
    },
    post: async (address, form) => {
      const response = await send(address, { method: 'POST', body: new URLSearchParams(form) })
      const location = response.headers.get('location')
      if (response.status !== 303 || location === null) {
        throw new Error(`Posting to ${address} answered ${response.status}: ${contentOf(await response.text())}`)
      }
      return new URL(location, address).href
    },
    follow: async (address) => {
      let at = new URL(address)
      for (let hop = 0; hop < REDIRECTS_MAX; hop += 1) {
        const response = await send(at.href).catch(() => undefined)
        const location = response?.headers.get('location')
        if (location == null) {
          return at
        }
        at = new URL(location, at)
      }
      throw new Error(`${address} has an endless redirect`)
    },
  }
}
