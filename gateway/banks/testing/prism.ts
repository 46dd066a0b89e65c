/** Runs Prism over the standard's own description: a judge of requests that shares no code with us. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { freePorts } from '../../testing/gateway/free-ports.ts'

const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'))
const STANDARD = fileURLToPath(new URL('../../../third_party/psd2-api-patched.json', import.meta.url))

/** What is kept of its log, in characters. */
const LOG_MAX = 100_000

const Violations = Type.Array(Type.Object({ location: Type.Array(Type.String()), message: Type.String() }))

/** A running Prism. */
export type Prism = { readonly address: string; close(): Promise<void> }

/** Starts Prism on a free port: it invents answers, or passes on those of a server and judges these too. */
export async function startPrism(upstream?: string): Promise<Prism> {
  const [port = 0] = await freePorts(1)
  const mode = upstream === undefined ? ['mock', STANDARD] : ['proxy', STANDARD, upstream]
  const child = spawn(process.execPath, [PRISM, ...mode, '-h', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    await listening(child)
  } catch (error) {
    child.kill()
    throw error
  }
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill()
      await ended
    },
  }
}

/** What Prism found wrong with a request, or with the answer. Those of its own invention are of no interest. */
export function violationsOf(
  headers: Readonly<Record<string, string>>,
  side: 'request' | 'response' = 'request',
): readonly string[] {
  const violations = Value.Parse(Violations, JSON.parse(headers['sl-violations'] ?? '[]'))
  return violations
    .filter(({ location }) => location[0] === side)
    .map(({ location, message }) => `${location.join('.')}: ${message}`)
}

/** Reads on after that: a child whose output nobody reads would wait for a reader. */
function listening(child: ChildProcessByStdio<null, Readable, null>): Promise<void> {
  return new Promise((resolve, reject) => {
    let told = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      told = told.length > LOG_MAX ? part : told + part
      if (told.includes('Prism is listening')) {
        resolve()
      }
    })
    child.once('exit', () => reject(new Error(`Prism ended before it served: ${told}`)))
  })
}
