/** Scrapes the processes of a test as Prometheus does, and turns two scrapes into series over time. */
import { composeOperatorServer } from '../../../launcher/roles/compose-operator-server.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** The response of each job's process to a scrape; undefined where it cannot be scraped. */
export type Scrape = { readonly gateway: string | undefined; readonly worker: string | undefined }

/** Minutes for which what was scraped before stays, and then what was scraped afterwards; longer than any `for`. */
const BEFORE_MINUTES = 90
const AFTER_MINUTES = 300
/** When a cause has produced its alert at the latest. */
export const END_MINUTES: number = BEFORE_MINUTES + AFTER_MINUTES
/** Before a cause: nothing of it can be seen. */
export const START_MINUTES: number = BEFORE_MINUTES - 1

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/
/** Their samples rise while the cause lasts; all others stay at their value. */
const COUNTED = /_(total|count|sum|bucket)$/

/** Scrapes a gateway over HTTP, by an operators' server of its own: its counts are not those of an earlier scrape. */
export async function scrapeGateway({ context }: Pick<TestGateway, 'context'>): Promise<string | undefined> {
  const server = composeOperatorServer(context)
  const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
  try {
    return await scrapePort(port)
  } finally {
    await server.close()
  }
}

/** Undefined where nothing answers. */
export async function scrapePort(port: number): Promise<string | undefined> {
  return await fetch(`http://127.0.0.1:${port}/metrics`).then(
    async (response) => (response.ok ? await response.text() : undefined),
    () => undefined,
  )
}

/**
 * The series in the notation of promtool, a sample a minute. After the cause a counter goes on rising by what the cause
 * added, as it does while a cause lasts. Expiry times are relative to `at`, because promtool's time begins at 0.
 */
export function seriesOf(before: Scrape, after: Scrape, at: number): readonly { series: string; values: string }[] {
  return (['gateway', 'worker'] as const).flatMap((role) => {
    const scraped = `job="havn-${role}",instance="${role}-1"`
    const [former, present] = [samplesIn(before[role]), samplesIn(after[role])]
    const names = new Set([...former.keys(), ...present.keys()])
    return [
      {
        series: `up{${scraped}}`,
        values: stages(Number(before[role] !== undefined), Number(after[role] !== undefined)),
      },
      ...[...names].map((sample) => {
        const [, name = '', labels = ''] = /^(\w+)\{?(.*?)\}?$/.exec(sample) ?? []
        const shift = name.endsWith('_timestamp_seconds') ? at : 0
        const [old, now] = [former.get(sample), present.get(sample)]
        const step = COUNTED.test(name) && now !== undefined ? now - (old ?? 0) : 0
        return {
          series: `${name}{${labels}${labels === '' ? '' : ','}${scraped}}`,
          values: stages(minus(old, shift), minus(now, shift), step),
        }
      }),
    ]
  })
}

function minus(value: number | undefined, shift: number): number | undefined {
  return value === undefined ? undefined : value - shift
}

/** One part with the former value, and one that begins with the present one and rises by a step. */
function stages(former: number | undefined, present: number | undefined, step = 0): string {
  const before = former === undefined ? `_x${BEFORE_MINUTES}` : `${former}+0x${BEFORE_MINUTES - 1}`
  const after =
    present === undefined ? `_x${AFTER_MINUTES}` : `${present}${step < 0 ? '' : '+'}${step}x${AFTER_MINUTES}`
  return `${before} ${after}`
}

function samplesIn(text: string | undefined): ReadonlyMap<string, number> {
  const lines = (text ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.flatMap((line) => {
      const [, name = '', labels, value = ''] = SAMPLE.exec(line) ?? []
      return Number.isFinite(Number(value)) ? [[labels === undefined ? name : `${name}{${labels}}`, Number(value)]] : []
    }),
  )
}
