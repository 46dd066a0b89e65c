/** Renders the webhook figures and their targets. */
import { barResult, median } from '../figures.ts'
import type { WebhookBenchFigures } from './measure-webhooks.ts'

const RATIO_MIN = 0.5
const P95_MAX_MILLISECONDS = 250
const MISBEHAVING_RATIO_MAX = 1.2
const MEGABYTES_MAX = 300
const NEW_MAX_MILLISECONDS = 1000

const TITLES = { dead: 'with a dead endpoint', drip: 'with a dripping one', late: 'with one that takes 9.9 s' }

/** One line per figure. */
export function webhookLines({ rounds, alone, withMisbehaving, drained }: WebhookBenchFigures): readonly string[] {
  const ratio = median(rounds.map(({ delivered, bare }) => delivered / bare))
  const of = (figure: 'delivered' | 'bare' | 'recordedAndDelivered') =>
    median(rounds.map((round) => round[figure])).toFixed(0)
  const { perSecond, peakMegabytes, newest } = drained
  return [
    'Webhooks:',
    line('signed deliveries', `${of('delivered')} per second`),
    line('a bare loop', `${of('bare')} per second`),
    line('ratio', ratio.toFixed(2), `at least ${RATIO_MIN}`, ratio >= RATIO_MIN),
    line('recorded and delivered', `${of('recordedAndDelivered')} per second, at the same time`),
    milliseconds('from record to arrival, p95', alone, P95_MAX_MILLISECONDS),
    ...(['dead', 'drip', 'late'] as const).map((manner) => {
      const times = withMisbehaving[manner] / alone
      const figure = `${withMisbehaving[manner].toFixed(0)} ms, ${times.toFixed(2)} times`
      return line(
        `  ${TITLES[manner]}`,
        figure,
        `at most ${MISBEHAVING_RATIO_MAX} times`,
        times <= MISBEHAVING_RATIO_MAX,
      )
    }),
    line('backlog drained', `${perSecond.toFixed(0)} per second`),
    line(
      '  peak memory',
      `${peakMegabytes.toFixed(0)} MB`,
      `at most ${MEGABYTES_MAX} MB`,
      peakMegabytes <= MEGABYTES_MAX,
    ),
    milliseconds('  new events meanwhile, p95', newest.p95, NEW_MAX_MILLISECONDS),
    milliseconds('  new events meanwhile, slowest', newest.max, NEW_MAX_MILLISECONDS),
  ]
}

function milliseconds(title: string, value: number, most: number): string {
  return line(title, `${value.toFixed(0)} ms`, `at most ${most} ms`, value <= most)
}

function line(title: string, figure: string, bar?: string, isMet?: boolean): string {
  const barText = bar === undefined ? '' : ` (bar: ${bar}) ${barResult(isMet === true)}`
  return `  ${title.padEnd(33)}${figure}${barText}`
}
