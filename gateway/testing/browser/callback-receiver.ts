/** Simulates the partner's website: receives returning users and records their URLs. */
import { createServer } from 'node:http'

export type CallbackReceiver = {
  /** The return URL. */
  readonly url: string
  /** The URLs of all returns, in order. */
  readonly arrivals: readonly URL[]
  /** The `status` of the latest return. */
  lastStatus(): string | null
  close(): Promise<void>
}

/** Starts the website on a free port. */
export async function openCallbackReceiver(): Promise<CallbackReceiver> {
  const arrivals: URL[] = []
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://partner.invalid')
    if (address.pathname === '/back') {
      arrivals.push(address)
    }
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end('<!doctype html><html lang="en"><title>ERP</title><link rel="icon" href="data:,"><h1>Back in the ERP</h1>')
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  return {
    url: `http://127.0.0.1:${port}/back?order=20455`,
    arrivals,
    lastStatus: () => arrivals.at(-1)?.searchParams.get('status') ?? null,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
