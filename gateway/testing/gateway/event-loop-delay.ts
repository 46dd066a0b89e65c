/** Starts a gateway with the runtime options of an installation, and measures how requests use its event loop and memory. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { GATEWAY_MEMORY } from '../../../launcher/programs.ts'
import type { Config } from '../../config/config.ts'
import { freePorts } from './free-ports.ts'
import { endProcess, startProcess } from './role-process.ts'

const PROBE = fileURLToPath(new URL('./event-loop-probe.ts', import.meta.url))

/** A gateway that is a process of its own: neither a test's work nor its garbage counts. */
export type MeasuredGateway = {
  readonly url: string
  /** The result, and the longest iteration of the gateway's event loop meanwhile, in units of `event-loop-probe.ts`. */
  longestTask<Result>(work: () => Promise<Result>): Promise<{ result: Result; units: number }>
  /** The most memory that was resident at a time; on Linux only. */
  peakMemoryBytes(): Promise<number>
  close(): Promise<void>
}

/** Starts it with the database of a test gateway, and options of its runtime. */
export async function startMeasuredGateway(
  config: Config,
  settings: Readonly<Record<string, string>>,
  runtime: readonly string[] = GATEWAY_MEMORY,
): Promise<MeasuredGateway> {
  const [port] = await freePorts(1)
  const child = await startProcess('gateway', config, {
    settings: { ...settings, HAVN_PORT: String(port), HAVN_HOST: config.host, HAVN_AUTH_URL: config.authUrl },
    runtime: [...runtime, '--import', PROBE],
  })
  return {
    url: `http://${config.host}:${port}`,
    longestTask: async (work) => {
      await exchanged(child, 'begin')
      const result = await work()
      return { result, units: Number(await exchanged(child, 'end')) }
    },
    peakMemoryBytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024
    },
    close: () => endProcess(child, 'SIGTERM'),
  }
}

async function exchanged(child: ChildProcess, message: 'begin' | 'end'): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(message)
  const [answered] = await answer
  return answered
}
