/** Runs Prism with the standard's OpenAPI file, as an independent validator of requests and answers. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { freePorts } from '../../testing/gateway/free-ports.ts'

const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'))
const STANDARD = fileURLToPath(new URL('../../../third_party/psd2-api-patched.json', import.meta.url))

/** Characters of its log that are stored. */
const LOG_MAX = 100_000

const Violations = Type.Array(Type.Object({ location: Type.Array(Type.String()), message: Type.String() }))

export type Prism = { readonly address: string; close(): Promise<void> }

/** Starts Prism on a free port: it forwards to a server. */
export async function startPrism(upstream: string): Promise<Prism> {
  const [port = 0] = await freePorts(1)
  const child = spawn(process.execPath, [PRISM, 'proxy', STANDARD, upstream, '-h', '127.0.0.1', '-p', String(port)], {
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

/** Prism's violations in a request or in a forwarded answer. */
export function violationsOf(
  headers: Readonly<Record<string, string>>,
  side: 'request' | 'response',
): readonly string[] {
  const violations = Value.Parse(Violations, JSON.parse(headers['sl-violations'] ?? '[]'))
  return violations
    .filter(({ location }) => location[0] === side)
    .map(({ location, message }) => `${location.join('.')}: ${message}`)
}

/** Continues to read the output, because a full pipe would block the child process. */
function listening(child: ChildProcessByStdio<null, Readable, null>): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output = output.length > LOG_MAX ? part : output + part
      if (output.includes('Prism is listening')) {
        resolve()
      }
    })
    child.once('exit', () => reject(new Error(`Prism ended before it served: ${output}`)))
  })
}
