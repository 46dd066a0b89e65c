/** Runs all SCA measurements on a separate Havn, and renders the figures. */
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { measurementOnHavn } from '../bench-part.ts'
import { atMost, line, quantile } from '../figures.ts'
import { openRecorder } from '../webhooks/webhook-endpoints.ts'
import { measureQrCodes, type QrCodeFigures, type QrCodePlan } from './qr-code-age.ts'
import { openScaFixture } from './sca-fixture.ts'
import { measureReturnDelays, SCA_JOURNEYS, type ScaBench, type ScaJourney, type UserLoad } from './sca-return-delay.ts'

type ScaPlan = {
  /** Code that has never run is slow; a real user is rarely the first after a start. */
  readonly warmUp: UserLoad
  readonly crowd: UserLoad
  readonly codes: QrCodePlan
}

/** Both change their codes each second: one sends text and image, the other only the URL of an image. */
const CODE_BANKS = ['VASASESS', 'MALBSESS'] as const

export const scaSessions = measurementOnHavn<ScaPlan>(
  {
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
  },
  async (havn, plan) => {
    const recorder = await openRecorder(havn)
    try {
      return await measure({ fixture: await openScaFixture(havn), recorder }, plan)
    } finally {
      await recorder.close()
    }
  },
)

const TITLES: Readonly<Record<ScaJourney, string>> = {
  atOnce: 'return after SCA',
  waiting: 'on the waiting page',
  inApp: 'in an app, on our page',
  byCode: 'by a QR code on our page',
}

async function measure(bench: ScaBench, { warmUp, crowd, codes }: ScaPlan): Promise<readonly string[]> {
  const lines = [
    `SCA, from the bank's finalised until the browser is redirected to callbackUrl (${crowd.count} each, ${crowd.atATime} at a time):`,
  ]
  for (const way of SCA_JOURNEYS) {
    await measureReturnDelays(bench, way, warmUp)
    const delays = await measureReturnDelays(bench, way, crowd)
    const [p50 = 0, p95 = 0] = [0.5, 0.95].map((share) => quantile(delays, share) / 1000)
    lines.push(line(TITLES[way], `p50 ${p50.toFixed(2)} s, p95 ${atMost(p95, 2, { unit: ' s', decimals: 2 })}`))
  }
  lines.push(`QR codes for partners to show (${codes.loops} sessions, each read once a second for ${codes.seconds} s):`)
  for (const bic of CODE_BANKS) {
    lines.push(...codeLines(bic, await measureQrCodes(bench.fixture, nordicBank(bic), codes)))
  }
  return lines
}

function codeLines(bank: string, figures: QrCodeFigures): readonly string[] {
  const { calls, outdated, relayed, sinceItsSecond, without } = figures
  const polls = calls.readings + calls.sweep
  const perSecond = (value: number) => `${value.toFixed(2)} per session and second`
  return [
    `  ${bank}, ${outdated.length} codes, ${without} reads without one`,
    line('  after the bank replaced it', agesWithBar(outdated)),
    line('  after receipt from the bank', agesWithBar(relayed)),
    line('  after the start of its second', `${ages(sinceItsSecond)} ${quantile(sinceItsSecond, 1).toFixed(0)} ms`),
    // About one: an occasional additional read does no harm.
    line('  polls at the bank', atMost(polls, 1.1, { decimals: 2, beside: ' per session and second' })),
    line('    of these by the worker', perSecond(calls.sweep)),
    line('  image requests', perSecond(calls.images)),
  ]
}

function agesWithBar(milliseconds: readonly number[]): string {
  return `${ages(milliseconds)} ${atMost(quantile(milliseconds, 1), 1_000, { unit: ' ms' })}`
}

function ages(milliseconds: readonly number[]): string {
  return `p95 ${quantile(milliseconds, 0.95).toFixed(0)} ms, slowest`
}
