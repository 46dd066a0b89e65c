/** Reads the statistics of the balancer: which gateways it uses, and what it could not pass on. */
import { waitUntil } from '../../launcher/processes.ts'
import { urlOf } from '../havn-installation.ts'
import type { Installation, ProgramName } from './installation.ts'

/** A line of HAProxy's statistics by the names of its columns. */
type Line = Readonly<Record<string, string>>

/** Counts that stay at zero while nothing fails (HAProxy's management guide, section 9.1). */
const FAULTS = {
  econ: 'connections to a gateway failed',
  eresp: 'answers of a gateway were broken off',
  srv_abrt: 'answers ended too early',
  hrsp_5xx: 'answers had a status of 500 and above',
  wretr: 'connections were tried again',
  wredis: 'requests were sent to the other gateway',
} as const

type Counts = Readonly<Record<keyof typeof FAULTS | 'requests', number>>

const USED_WITHIN_MILLISECONDS = 30_000

/** Resolves when the balancer sends requests to a gateway. */
export async function untilUsed(installation: Installation, name: ProgramName): Promise<void> {
  const isUsed = async () =>
    (await readLines(installation)).some(({ svname, status }) => svname === name && status?.startsWith('UP') === true)
  if (!(await waitUntil(isUsed, USED_WITHIN_MILLISECONDS))) {
    throw new Error(`The balancer does not use ${name}, which is ready`)
  }
}

/** What has been counted since the balancer started. */
export async function readCounts(installation: Installation): Promise<Counts> {
  const lines = await readLines(installation)
  const total = lines.find(({ pxname, svname }) => pxname === 'gateways' && svname === 'BACKEND')
  if (total === undefined) {
    throw new Error('The balancer has no statistics of its gateways')
  }
  const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[]
  const counts = names.map((name) => [name, Number(total[name])])
  return { ...Object.fromEntries(counts), requests: Number(total['req_tot']) }
}

/** What failed between two readings. */
export function checkCounts(before: Counts, after: Counts): readonly string[] {
  return Object.entries(FAULTS).flatMap(([name, what]) => {
    const count = after[name as keyof typeof FAULTS] - before[name as keyof typeof FAULTS]
    return count === 0 ? [] : [`The balancer counted: ${count} ${what} (${name})`]
  })
}

async function readLines({ balancer }: Installation): Promise<readonly Line[]> {
  const text = await (await fetch(`${urlOf(balancer.statisticsPort)}/statistics;csv`)).text()
  const [names = [], ...rows] = text
    .replace(/^# /, '')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}
