/** Simulates a browser on the gateway's pages: stores cookies, posts forms, follows internal redirects only. */
import { request } from 'undici'

/** The state of the browser: on one of our pages with the form that continues, if any, or redirected to another site. */
export type Arrival =
  | { readonly at: 'page'; readonly address: string; readonly onward: string | undefined }
  | { readonly at: 'elsewhere'; readonly address: string }

export type SandboxBrowser = {
  open(address: string): Promise<Arrival>
  /** Presses the button of a form. */
  post(address: string): Promise<Arrival>
}

const REDIRECTS_MAX = 10
const FORM_ACTION = /<form method="post" action="([^"]*)"/g

/** A browser without cookies; URLs outside `baseUrl` are never requested. */
export function openSandboxBrowser(baseUrl: string): SandboxBrowser {
  const { origin } = new URL(baseUrl)
  const cookies = new Map<string, string>()
  const visit = async (method: 'GET' | 'POST', path: string): Promise<Arrival> => {
    let address = path
    let verb: 'GET' | 'POST' = method
    for (let hop = 0; hop < REDIRECTS_MAX; hop += 1) {
      if (new URL(address).origin !== origin) {
        return { at: 'elsewhere', address }
      }
      const answer = await send(verb, address, cookies)
      if (answer.location === null) {
        const actions = [...answer.body.matchAll(FORM_ACTION)].map(([, action = '']) => new URL(action, address).href)
        return { at: 'page', address, onward: actions.find((action) => !/\/(leave|refuse)$/.test(action)) }
      }
      address = new URL(answer.location, address).href
      verb = 'GET'
    }
    throw new Error(`A page redirects more than ${REDIRECTS_MAX} times`)
  }
  return { open: (address) => visit('GET', address), post: (address) => visit('POST', address) }
}

type Answer = { readonly location: string | null; readonly body: string }

async function send(method: 'GET' | 'POST', address: string, cookies: Map<string, string>): Promise<Answer> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { headers, body } = await request(address, {
    method,
    headers: { cookie, 'user-agent': 'Havn sandbox', 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'POST' ? { body: '' } : {}),
  })
  for (const set of [headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    cookies.set(name, value)
  }
  const { location } = headers
  return { location: typeof location === 'string' ? location : null, body: await body.text() }
}
