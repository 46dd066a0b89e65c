/** Renders the latencies of lists and reads and their targets. */
import { barResult } from '../figures.ts'
import type { ListsFigures } from './list-latency.ts'

/** The p95 with many payments stored, relative to few. */
const RATIO_MAX = 1.5
const NAME_WIDTH = 24

/** One line per kind of request. */
export function listsLines({ plan, few, many }: ListsFigures): readonly string[] {
  return [
    `Lists and reads with ${plan.many} payments stored, relative to ${plan.few}:`,
    ...few.map(({ name, p50, p95 }, index) => {
      const [p50Many = Number.NaN, p95Many = Number.NaN] = [many[index]?.p50, many[index]?.p95]
      const ratio = p95Many / p95
      const each = `p50 ${p50Many.toFixed(1)} ms (${p50.toFixed(1)}), p95 ${p95Many.toFixed(1)} ms (${p95.toFixed(1)})`
      return `  ${name.padEnd(NAME_WIDTH)} ${each}, ${ratio.toFixed(2)} times (bar: at most ${RATIO_MAX}) ${barResult(ratio <= RATIO_MAX)}`
    }),
  ]
}
