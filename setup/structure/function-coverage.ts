/** Records which functions of a running Node process run, by V8's own counts through its inspector. */
import { once } from 'node:events'
import { waitUntil } from '../../launcher/processes.ts'

/** The named functions that ran, each as `file:name:offset`; the file is relative to the root of the sources. */
export type Functions = ReadonlySet<string>

/** The counts of one process. */
export type Coverage = {
  /** The functions that ran since the last call. */
  take(): Promise<Functions>
  close(): void
}

const INSPECTOR_MILLISECONDS = 10_000

type Message = { readonly id: number; readonly result?: unknown }
type ScriptCoverage = {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

/**
 * Opens the inspector of a process that was started with `--inspect-port`, and counts in it from now on. `root` is the
 * URL of the sources' folder.
 */
export async function coverageOf(pid: number, port: number, root: string): Promise<Coverage> {
  process.kill(pid, 'SIGUSR1')
  let url = ''
  await waitUntil(async () => {
    url = await debuggerUrl(port)
    return url !== ''
  }, INSPECTOR_MILLISECONDS)
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const pending = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as Message
    pending.get(id)?.(result)
    pending.delete(id)
  })
  const call = (method: string, params: object = {}) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = callCount()
    pending.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    return promise
  }
  await call('Profiler.enable')
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    take: async () => {
      const { result } = (await call('Profiler.takePreciseCoverage')) as { readonly result: readonly ScriptCoverage[] }
      return functionsIn(result, root)
    },
    close: () => socket.close(),
  }
}

let calls = 0
function callCount(): number {
  calls += 1
  return calls
}

async function debuggerUrl(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
  const targets = (await response?.json()) as readonly { readonly webSocketDebuggerUrl: string }[] | undefined
  return targets?.[0]?.webSocketDebuggerUrl ?? ''
}

/** A function without a name is a module, or a part of the function that it is written in. */
function functionsIn(scripts: readonly ScriptCoverage[], root: string): Functions {
  const ran = scripts
    .filter(({ url }) => url.startsWith(root) && !url.includes('/node_modules/'))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges: [range] }) =>
        functionName !== '' && range !== undefined && range.count > 0
          ? [`${url.slice(root.length)}:${functionName}:${range.startOffset}`]
          : [],
      ),
    )
  return new Set(ran)
}
