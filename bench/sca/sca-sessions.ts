/** Runs all SCA measurements on a separate Havn. */
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import type { OpenHavn } from '../environment/running-havn.ts'
import { openRecorder } from '../webhooks/webhook-subscribers.ts'
import { measureQrCodes, type QrCodeFigures, type QrCodePlan } from './qr-code-age.ts'
import type { MetricsUrls } from './sca-bank-calls.ts'
import { openScaFixture } from './sca-fixture.ts'
import { measureReturnDelays, SCA_JOURNEYS, type ScaBench, type ScaJourney, type UserLoad } from './sca-return-delay.ts'

/** The sizes of a run. */
export type ScaPlan = {
  /** Code that has never run is slow; a real user is rarely the first after a start. */
  readonly warmUp: UserLoad
  readonly crowd: UserLoad
  readonly codes: QrCodePlan
}

export const FULL_SCA: ScaPlan = {
  warmUp: { count: 4, atATime: 4 },
  crowd: { count: 100, atATime: 20 },
  codes: { loops: 20, seconds: 20 },
}
/** A short run that only shows that the bench works; its figures mean nothing. */
export const SHORT_SCA: ScaPlan = {
  warmUp: { count: 0, atATime: 1 },
  crowd: { count: 1, atATime: 1 },
  codes: { loops: 1, seconds: 2 },
}

/** Both change their codes each second: one sends text and image, the other only the URL of an image. */
export const CODE_BANKS = ['VASASESS', 'MALBSESS'] as const

export type ScaFigures = {
  readonly plan: ScaPlan
  /** Milliseconds from the bank's confirmation, one per user. */
  readonly delays: Readonly<Record<ScaJourney, readonly number[]>>
  readonly codes: Readonly<Record<(typeof CODE_BANKS)[number], QrCodeFigures>>
}

/** Cleans up, even when it is interrupted. */
export async function measureSca(open: OpenHavn, plan: ScaPlan, interrupted: Promise<never>): Promise<ScaFigures> {
  const havn = await open()
  const recorder = await openRecorder(havn)
  try {
    const metrics = { gateway: `${havn.url}/metrics`, worker: `${havn.workerUrl}/metrics` }
    const measured = openScaFixture(havn).then((fixture) => measure({ fixture, recorder }, plan, metrics))
    return await Promise.race([measured, interrupted])
  } finally {
    await recorder.close()
    await havn.close()
  }
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
