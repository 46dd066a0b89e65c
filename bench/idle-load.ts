/** Measures an idle Havn: transactions, CPU time and memory of all its processes. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { measurementOnHavn } from './bench-part.ts'
import { cpuSecondsOf, startedBy } from './environment/process-usage.ts'
import type { RunningHavn } from './environment/running-havn.ts'
import { atMost, line } from './figures.ts'

/** How long it settles first, and how long it is measured then. */
type IdlePlan = { readonly settleSeconds: number; readonly seconds: number }

export const idleLoad = measurementOnHavn<IdlePlan>(
  { full: { settleSeconds: 30, seconds: 60 }, short: { settleSeconds: 0, seconds: 1 } },
  measure,
)

const KILOBYTES_PER_MEGABYTE = 1024

/** Only Linux reports the memory that processes share. */
async function measure({ supervisorPid, database }: RunningHavn, plan: IdlePlan): Promise<readonly string[]> {
  await pause(plan.settleSeconds * 1_000)
  const processes = await startedBy(supervisorPid)
  const transactions = async () => {
    const { rows } = await database.pool.query<{ count: bigint }>(
      'select sum(xact_commit + xact_rollback)::bigint as count from pg_stat_database',
    )
    return Number(rows[0]?.count ?? 0n)
  }
  const cpuSeconds = async () => sum(await Promise.all(processes.map(({ pid }) => cpuSecondsOf(pid))))
  const [transactionsBefore, secondsBefore] = [await transactions(), await cpuSeconds()]
  await pause(plan.seconds * 1_000)
  const perSecond = ((await transactions()) - transactionsBefore) / plan.seconds
  const corePercent = (100 * ((await cpuSeconds()) - secondsBefore)) / plan.seconds
  const megabytes = await Promise.all(processes.map(({ pid }) => megabytesOf(pid)))
  return [
    'Idle:',
    line('transactions', atMost(perSecond, 10, { decimals: 1, beside: ' per second' })),
    line('processor time', atMost(corePercent, 2, { unit: ' %', decimals: 1, beside: ' of a core' })),
    line('memory', atMost(sum(megabytes), 450, { unit: ' MB' })),
    line('  by process', processes.map(({ name }, at) => `${name} ${megabytes[at]?.toFixed(0)}`).join(', ')),
  ]
}

/** Its private memory, and its proportional share of shared memory (PSS). */
async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / KILOBYTES_PER_MEGABYTE
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
