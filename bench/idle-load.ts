/** Measures an idle Havn: transactions, CPU time and memory of all its processes. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { measurementOf } from './bench-part.ts'
import { cpuSecondsOf, startedBy } from './environment/process-usage.ts'
import type { RunningHavn } from './environment/running-havn.ts'
import { barResult } from './figures.ts'

/** How long it settles first, and how long it is measured then. */
type IdlePlan = { readonly settleSeconds: number; readonly seconds: number }

type IdleFigures = {
  readonly transactionsPerSecond: number
  /** Of one core. */
  readonly coreShare: number
  readonly megabytes: number
  readonly byProcess: readonly { readonly name: string; readonly megabytes: number }[]
}

export const idleLoad = measurementOf<IdlePlan, IdleFigures>({
  full: { settleSeconds: 30, seconds: 60 },
  short: { settleSeconds: 0, seconds: 1 },
  measure: (onHavn, plan) => onHavn((havn) => measure(havn, plan)),
  lines,
})

const KILOBYTES_PER_MEGABYTE = 1024

/** Only Linux reports the memory that processes share. */
async function measure({ supervisorPid, database }: RunningHavn, plan: IdlePlan): Promise<IdleFigures> {
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
  const [transactionsAfter, secondsAfter] = [await transactions(), await cpuSeconds()]
  const byProcess = await Promise.all(
    processes.map(async ({ pid, name }) => ({ name, megabytes: await megabytesOf(pid) })),
  )
  return {
    transactionsPerSecond: (transactionsAfter - transactionsBefore) / plan.seconds,
    coreShare: (secondsAfter - secondsBefore) / plan.seconds,
    megabytes: sum(byProcess.map(({ megabytes }) => megabytes)),
    byProcess,
  }
}

/** Its private memory, and its proportional share of shared memory (PSS). */
async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / KILOBYTES_PER_MEGABYTE
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const TRANSACTIONS_PER_SECOND_MAX = 10
const CORE_SHARE_MAX = 0.02
const MEGABYTES_MAX = 450

function lines({ transactionsPerSecond, coreShare, megabytes, byProcess }: IdleFigures): readonly string[] {
  const each = byProcess.map(({ name, megabytes: own }) => `${name} ${own.toFixed(0)}`).join(', ')
  return [
    'Idle:',
    `  transactions                   ${transactionsPerSecond.toFixed(1)} per second (bar: at most ${TRANSACTIONS_PER_SECOND_MAX}) ${barResult(transactionsPerSecond <= TRANSACTIONS_PER_SECOND_MAX)}`,
    `  processor time                 ${(100 * coreShare).toFixed(1)} % of a core (bar: at most ${100 * CORE_SHARE_MAX} %) ${barResult(coreShare <= CORE_SHARE_MAX)}`,
    `  memory                         ${megabytes.toFixed(0)} MB (bar: at most ${MEGABYTES_MAX} MB) ${barResult(megabytes <= MEGABYTES_MAX)}`,
    `    by process                   ${each}`,
  ]
}
