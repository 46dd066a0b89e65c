/** Runs all SCA measurements on a separate Havn, and renders the figures. */
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { measurementOf } from '../bench-part.ts'
import { barResult, quantile } from '../figures.ts'
import { openRecorder } from '../webhooks/webhook-endpoints.ts'
import { measureQrCodes, type QrCodeFigures, type QrCodePlan } from './qr-code-age.ts'
import { type MetricsUrls, openScaFixture, type ScaCallFigures } from './sca-fixture.ts'
import { measureReturnDelays, SCA_JOURNEYS, type ScaBench, type ScaJourney, type UserLoad } from './sca-return-delay.ts'

type ScaPlan = {
  /** Code that has never run is slow; a real user is rarely the first after a start. */
  readonly warmUp: UserLoad
  readonly crowd: UserLoad
  readonly codes: QrCodePlan
}

/** Both change their codes each second: one sends text and image, the other only the URL of an image. */
const CODE_BANKS = ['VASASESS', 'MALBSESS'] as const

export const scaSessions = measurementOf<ScaPlan, ScaFigures>({
  full: {
    warmUp: { count: 4, atATime: 4 },
    crowd: { count: 100, atATime: 20 },
    codes: { loops: 20, seconds: 20 },
  },
  short: {
    warmUp: { count: 0, atATime: 1 },
    crowd: { count: 1, atATime: 1 },
    codes: { loops: 1, seconds: 2 },
  },
  measure: (onHavn, plan) =>
    onHavn(async (havn) => {
      const recorder = await openRecorder(havn)
      try {
        const metrics = { gateway: `${havn.url}/metrics`, worker: `${havn.workerUrl}/metrics` }
        return await measure({ fixture: await openScaFixture(havn), recorder }, plan, metrics)
      } finally {
        await recorder.close()
      }
    }),
  lines,
})

type ScaFigures = {
  readonly plan: ScaPlan
  /** Milliseconds from the bank's confirmation, one per user. */
  readonly delays: Readonly<Record<ScaJourney, readonly number[]>>
  readonly codes: Readonly<Record<(typeof CODE_BANKS)[number], QrCodeFigures>>
}

async function measure(bench: ScaBench, plan: ScaPlan, metrics: MetricsUrls): Promise<ScaFigures> {
  const delays: Record<ScaJourney, readonly number[]> = { atOnce: [], waiting: [], inApp: [], byCode: [] }
  for (const way of SCA_JOURNEYS) {
    await measureReturnDelays(bench, way, plan.warmUp)
    delays[way] = await measureReturnDelays(bench, way, plan.crowd)
  }
  const codesOf = (bic: string) => measureQrCodes(bench.fixture, nordicBank(bic), metrics, plan.codes)
  return { plan, delays, codes: { VASASESS: await codesOf('VASASESS'), MALBSESS: await codesOf('MALBSESS') } }
}

const P95_MAX_SECONDS = 2
const AGE_MAX_MILLISECONDS = 1_000

/** About one: an occasional additional read does no harm. */
const READINGS_MAX = 1.1

const TITLES: Readonly<Record<ScaJourney, string>> = {
  atOnce: 'return after SCA',
  waiting: 'on the waiting page',
  inApp: 'in an app, on our page',
  byCode: 'by a QR code on our page',
}

function lines({ plan, delays, codes }: ScaFigures): readonly string[] {
  const { crowd, codes: reading } = plan
  return [
    `SCA, from the bank's finalised until the browser is redirected to callbackUrl (${crowd.count} each, ${crowd.atATime} at a time):`,
    ...SCA_JOURNEYS.map((way) => delayLine(TITLES[way], delays[way])),
    `QR codes for partners to show (${reading.loops} sessions, each read once a second for ${reading.seconds} s):`,
    ...CODE_BANKS.flatMap((bank) => codeLines(bank, codes[bank])),
  ]
}

function delayLine(title: string, delays: readonly number[]): string {
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(delays, share) / 1000)
  return `  ${title.padEnd(33)}p50 ${p50?.toFixed(2)} s, p95 ${p95?.toFixed(2)} s (bar: p95 at most ${P95_MAX_SECONDS} s) ${barResult(Number(p95) <= P95_MAX_SECONDS)}`
}

function codeLines(bank: string, figures: QrCodeFigures): readonly string[] {
  const { calls, outdated, relayed, sinceItsSecond, without } = figures
  return [
    `  ${bank}, ${outdated.length} codes, ${without} reads without one`,
    ageLine('after the bank replaced it', outdated, true),
    ageLine('after receipt from the bank', relayed, true),
    ageLine('after the start of its second', sinceItsSecond, false),
    ...callLines(calls),
  ]
}

function callLines({ images, readings, sweep }: ScaCallFigures): readonly string[] {
  const all = readings + sweep
  const line = (title: string, value: number) => `    ${title.padEnd(31)}${value.toFixed(2)} per session and second`
  return [
    `${line('polls at the bank', all)} (bar: at most about 1) ${barResult(all <= READINGS_MAX)}`,
    line('  of these by the worker', sweep),
    line('image requests', images),
  ]
}

function ageLine(title: string, ages: readonly number[], hasBar: boolean): string {
  const [p95, most] = [0.95, 1].map((share) => Math.round(quantile(ages, share)))
  const bar = ` (bar: at most ${AGE_MAX_MILLISECONDS} ms) ${barResult(Number(most) <= AGE_MAX_MILLISECONDS)}`
  return `    ${title.padEnd(31)}p95 ${p95} ms, slowest ${most} ms${hasBar ? bar : ''}`
}
