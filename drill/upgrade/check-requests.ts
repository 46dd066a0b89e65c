/** Checks that no request failed, and that every program of both releases has served. */
import { readFile } from 'node:fs/promises'
import { urlOf } from '../havn-installation.ts'
import type { Installation, ProgramName, StartedRelease } from './installation.ts'
import type { Request } from './partner-load.ts'

/** The partner sends nothing that must be rejected. */
export function checkRequests(requests: readonly Request[]): readonly string[] {
  const failed = requests.filter(({ status }) => status === undefined || status >= 400)
  const groups = Map.groupBy(failed, ({ operation, status }) => `${operation}: ${status ?? 'no response'}`)
  return [...groups].map(([what, same]) => `${same.length} requests failed: ${what}`)
}

/** A worker that is about to stop has delivered webhooks. */
export async function checkDeliveries({ ports }: Installation, name: ProgramName): Promise<readonly string[]> {
  const metrics = await (await fetch(`${urlOf(ports[name])}/metrics`)).text()
  return DELIVERIES.test(metrics) ? [] : [`${name} has delivered nothing`]
}

/** The request that took longest, for the report. */
export function longest(requests: readonly Request[]): string {
  const [first] = requests.toSorted((one, other) => other.milliseconds - one.milliseconds)
  return first === undefined ? 'none' : `${first.operation}, ${(first.milliseconds / 1_000).toFixed(1)} s`
}

type LogLine = {
  readonly level: number
  readonly msg: string
  readonly route?: string
  readonly status?: number
}

const WARN = 40
const SHOWN_CHARACTERS = 400
const DELIVERIES = /^havn_webhook_attempt_seconds_count\{[^}]*\} [1-9]/m

/** Every run of a program: what it logged as a warning or an error, and that it took part. */
export async function checkLogs({ runs }: Installation): Promise<readonly string[]> {
  const findings = await Promise.all(runs.map(checkLog))
  return findings.flat()
}

async function checkLog({ name, release, log }: StartedRelease): Promise<readonly string[]> {
  const lines = (await readFile(log, 'utf8')).split('\n').flatMap(parseLine)
  const answered = lines.filter(({ msg, route }) => msg === 'answered' && route?.startsWith('/api/') === true).length
  const started = `${name} of the release ${release.name}`
  const faults = Map.groupBy(
    lines.filter(({ level }) => level >= WARN),
    ({ msg }) => msg,
  )
  return [
    ...[...faults].map(
      ([msg, same]) =>
        `${started} logged ${same.length} times: ${msg} ${JSON.stringify(same[0]).slice(0, SHOWN_CHARACTERS)}`,
    ),
    ...(name.startsWith('gateway') && answered === 0 ? [`${started} answered no request`] : []),
  ]
}

/** Node prints some lines by itself, such as warnings: they are no JSON, and count as warnings. */
function parseLine(line: string): readonly LogLine[] {
  if (line === '') {
    return []
  }
  try {
    return [JSON.parse(line)]
  } catch {
    return [{ level: WARN, msg: line }]
  }
}
