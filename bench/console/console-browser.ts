/** Signs an operator in to the console of a Havn, requests its pages, and opens streams of pages that live. */
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import type { RunningHavn } from '../environment/running-havn.ts'

/** A page as it was sent. */
export type ReceivedPage = {
  readonly html: string
  /** Of its body, compressed if the server compresses it. */
  readonly bytes: number
}

export type ConsoleBrowser = {
  /** Throws unless the page is shown. */
  open(path: string): Promise<ReceivedPage>
  /** Opens a stream of a page; returns how to close it, once its first part has arrived. */
  openStream(path: string): Promise<() => void>
}

const STATUS_OK = 200

export async function signInToConsole({ url }: Pick<RunningHavn, 'url'>): Promise<ConsoleBrowser> {
  const page = await fetch(`${url}/console/sign-in`)
  const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(await page.text()) ?? []
  const signedIn = await fetch(`${url}/console/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookieOf(page) },
    body: new URLSearchParams({ formToken, user: 'operator-administrator' }),
  })
  const headers = { cookie: cookieOf(signedIn), 'accept-encoding': 'gzip' }
  return {
    open: (path) => receive(`${url}${path}`, headers),
    openStream: async (path) => {
      const abort = new AbortController()
      const response = await fetch(`${url}${path}`, { headers, signal: abort.signal })
      const parts = response.body?.getReader()
      const decoder = new TextDecoder()
      let received = ''
      while (!received.includes('data: ')) {
        const { done = true, value } = (await parts?.read()) ?? {}
        if (done) {
          throw new Error(`${path} returned ${response.status} and no stream`)
        }
        received += decoder.decode(value, { stream: true })
      }
      return () => abort.abort()
    },
  }
}

async function receive(url: string, headers: Readonly<Record<string, string>>): Promise<ReceivedPage> {
  const { statusCode, headers: received, body } = await request(url, { headers })
  const content = Buffer.from(await body.arrayBuffer())
  if (statusCode !== STATUS_OK) {
    throw new Error(`${url} returned ${statusCode}`)
  }
  const isCompressed = received['content-encoding'] === 'gzip'
  return { html: (isCompressed ? gunzipSync(content) : content).toString(), bytes: content.length }
}

function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}
