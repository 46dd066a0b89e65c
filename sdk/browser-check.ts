/** Rejects running in a browser, where anyone could read the credentials. */

/** Why a browser cannot be used, and what to do instead. */
export const BROWSER_REASON =
  '@havn/client does not run in a browser: client secret and access token would be readable by every visitor, and could ' +
  'order payments. Call it in your backend, and let the browser call your backend'

/** Throws in a page or a worker of a browser. Server programs that simulate a page, as tests do, are let pass. */
export function requireServer(globals: object = globalThis): void {
  const found = new Map<string, unknown>(
    ['process', 'Deno', 'Bun', 'window', 'document', 'WorkerGlobalScope', 'WebSocketPair'].map((name) => [
      name,
      Reflect.get(globals, name),
    ]),
  )
  const isServer =
    Object(Object(found.get('process')).versions).node !== undefined ||
    ['Deno', 'Bun', 'WebSocketPair'].some((name) => found.get(name) !== undefined)
  const isPage = found.get('window') !== undefined && found.get('document') !== undefined
  const isBrowserWorker = found.get('WorkerGlobalScope') !== undefined
  if (!isServer && (isPage || isBrowserWorker)) {
    throw new Error(BROWSER_REASON)
  }
}
