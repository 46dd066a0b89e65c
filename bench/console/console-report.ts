/** Renders the figures of the console's pages and their targets. */
import { barResult } from '../figures.ts'
import type { ConsoleFigures } from './console-pages.ts'

const MILLISECONDS_MAX = 100
const KILOBYTES_MAX = 60
const BYTES_PER_KILOBYTE = 1_000
/** Of a core, for a hundred open pages. */
const SHARE_MAX = 0.01

/** One line per page. */
export function consoleLines({ plan, pages, live, storeSeconds, countSeconds }: ConsoleFigures): readonly string[] {
  const width = Math.max(...pages.map(({ path }) => path.length))
  const shareOf = (share: number) => (share * 100) / plan.streams
  return [
    `Pages of the console with ${plan.payments} payments and ${plan.historyRows} rows of history stored:`,
    ...pages.map(({ path, p50, p95, bytes }) => {
      const kilobytes = bytes / BYTES_PER_KILOBYTE
      const isMet = p95 <= MILLISECONDS_MAX && kilobytes <= KILOBYTES_MAX
      const figures = `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${kilobytes.toFixed(1)} kB`
      return `  ${path.padEnd(width)} ${figures} (bar: p95 at most ${MILLISECONDS_MAX} ms, ${KILOBYTES_MAX} kB) ${barResult(isMet)}`
    }),
    ...live.map(({ pages: what, share: measured }) => {
      const share = shareOf(measured)
      const figure = `${(100 * share).toFixed(2)} % of a core for each hundred`
      return `  ${plan.streams} open pages of ${what}: ${figure} (bar: at most ${100 * SHARE_MAX} %) ${barResult(share <= SHARE_MAX)}`
    }),
    `  stored within ${storeSeconds.toFixed(0)} s`,
    `  all days counted again after ${countSeconds.toFixed(1)} s`,
  ]
}
