/** Renders the sandbox bank figures and their targets. */

import type { CpuTimes } from '../environment/cpu-time.ts'
import { barResult } from '../figures.ts'
import type { SandboxFigures } from './sandbox-bank-initiations.ts'

const PER_SECOND_MIN = 600
/** 600 per second on a machine that reaches 1 260 with the stub: distinguishes a slow bank from a slow machine. */
const RATIO_MIN = 0.48
const ONE_CALLER_MAX_MILLISECONDS = 6
const CPU_SHOWN_MIN_MILLISECONDS = 0.05

/** One line per figure. */
export function sandboxLines({ callers, perSecond, oneCaller, cpu }: SandboxFigures): readonly string[] {
  const { sandbox, stub } = perSecond
  const ratio = sandbox / stub
  return [
    `Initiations with the sandbox bank, from an empty database on:`,
    `  ${callers} callers                     ${sandbox.toFixed(0)} per second (bar: at least ${PER_SECOND_MIN}) ${barResult(sandbox >= PER_SECOND_MIN)}`,
    `  the same with a stub bank      ${stub.toFixed(0)} per second, ratio ${ratio.toFixed(2)} (bar: at least ${RATIO_MIN}) ${barResult(ratio >= RATIO_MIN)}`,
    '  one caller, median at each bank:',
    ...[...oneCaller].map(([bic, milliseconds]) => oneCallerLine(bic, milliseconds)),
    '  CPU time of one initiation:',
    `    ${callers} callers                   ${cpuText(cpu.manyCallers)}`,
    `    one caller                   ${cpuText(cpu.oneCaller)}`,
  ]
}

function oneCallerLine(bic: string, milliseconds: number): string {
  const bar = `(bar: at most ${ONE_CALLER_MAX_MILLISECONDS} ms) ${barResult(milliseconds <= ONE_CALLER_MAX_MILLISECONDS)}`
  return `    ${bic}                     ${milliseconds.toFixed(1)} ms ${bar}`
}

/** The total, and the processes with a share that is worth printing. */
function cpuText(times: CpuTimes): string {
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  const shares = [...times].filter(([, time]) => time >= CPU_SHOWN_MIN_MILLISECONDS)
  return `${total.toFixed(1)} ms: ${shares.map(([name, time]) => `${name} ${time.toFixed(2)}`).join(', ')}`
}
