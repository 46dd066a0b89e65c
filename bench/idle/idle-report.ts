/** Renders the figures of an idle Havn and their targets. */
import { barResult } from '../figures.ts'
import type { IdleFigures } from './idle-load.ts'

const TRANSACTIONS_PER_SECOND_MAX = 10
const CORE_SHARE_MAX = 0.02
const MEGABYTES_MAX = 450

/** One line per figure. */
export function idleLines({ transactionsPerSecond, coreShare, megabytes, byProcess }: IdleFigures): readonly string[] {
  const each = byProcess.map(({ name, megabytes: own }) => `${name} ${own.toFixed(0)}`).join(', ')
  return [
    'Idle:',
    `  transactions                   ${transactionsPerSecond.toFixed(1)} per second (bar: at most ${TRANSACTIONS_PER_SECOND_MAX}) ${barResult(transactionsPerSecond <= TRANSACTIONS_PER_SECOND_MAX)}`,
    `  processor time                 ${(100 * coreShare).toFixed(1)} % of a core (bar: at most ${100 * CORE_SHARE_MAX} %) ${barResult(coreShare <= CORE_SHARE_MAX)}`,
    `  memory                         ${megabytes.toFixed(0)} MB (bar: at most ${MEGABYTES_MAX} MB) ${barResult(megabytes <= MEGABYTES_MAX)}`,
    `    by process                   ${each}`,
  ]
}
