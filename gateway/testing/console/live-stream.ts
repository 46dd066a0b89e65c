/** Reads the stream of a live part of a page, as a browser would. */

export type LiveStream = {
  readonly response: Response
  /** The next part; empty when the stream has ended. */
  next(): Promise<string>
  close(): void
}

export async function openLiveStream(url: string, cookie: string): Promise<LiveStream> {
  const abort = new AbortController()
  const response = await fetch(url, { headers: { cookie }, signal: abort.signal })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let received = ''
  const next = async () => {
    for (;;) {
      const [part, ...rest] = received.split('\n\n')
      if (rest.length > 0) {
        received = rest.join('\n\n')
        if (part?.startsWith('data: ')) {
          return part.replaceAll(/^data: /gm, '')
        }
      } else {
        const { done = true, value } = (await reader?.read()) ?? {}
        if (done) {
          return ''
        }
        received += decoder.decode(value, { stream: true })
      }
    }
  }
  return { response, next, close: () => abort.abort() }
}
