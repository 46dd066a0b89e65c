/** Runs everything that is measured of signing on a Havn of its own. */
import { nordicBank } from '../gateway/testing/banks/nordic-banks.ts'
import type { OpenHavn } from './environment/shared-havn.ts'
import { type CodesFigures, type CodesPlan, codesAt } from './sca/qr-code-age.ts'
import type { MetricsUrls } from './sca/sca-bank-calls.ts'
import { openSigningWorld } from './sca/sca-fixture.ts'
import { type Crowd, delaysOf, type SigningBench, WAYS, type Way } from './sca/sca-return-delay.ts'
import { openRecorder } from './webhooks/webhook-subscribers.ts'

/** How much of everything. */
export type SigningPlan = {
  /** Code that has never run is slow; a user is not the first of the day. */
  readonly warmUp: Crowd
  readonly crowd: Crowd
  readonly codes: CodesPlan
}

export const FULL_SIGNING: SigningPlan = {
  warmUp: { count: 4, atATime: 4 },
  crowd: { count: 100, atATime: 20 },
  codes: { loops: 20, seconds: 20 },
}
/** Shows that the bench works; its figures mean nothing. */
export const SHORT_SIGNING: SigningPlan = {
  warmUp: { count: 0, atATime: 1 },
  crowd: { count: 1, atATime: 1 },
  codes: { loops: 1, seconds: 2 },
}

/** Both change their codes each second: one gives text and image, the other the image alone, at an address. */
export const CODE_BANKS = ['VASASESS', 'MALBSESS'] as const

export type SigningFigures = {
  readonly plan: SigningPlan
  /** Milliseconds from the bank's word, one for each user. */
  readonly delays: Readonly<Record<Way, readonly number[]>>
  readonly codes: Readonly<Record<(typeof CODE_BANKS)[number], CodesFigures>>
}

/** Leaves nothing behind, even when it is interrupted. */
export async function measureSigning(
  open: OpenHavn,
  plan: SigningPlan,
  interrupted: Promise<never>,
): Promise<SigningFigures> {
  const havn = await open()
  const recorder = await openRecorder(havn)
  try {
    const metrics = { gateway: `${havn.url}/metrics`, worker: `${havn.workerUrl}/metrics` }
    const measured = openSigningWorld(havn).then((world) => measure({ world, recorder }, plan, metrics))
    return await Promise.race([measured, interrupted])
  } finally {
    await recorder.close()
    await havn.close()
  }
}

async function measure(bench: SigningBench, plan: SigningPlan, metrics: MetricsUrls): Promise<SigningFigures> {
  const delays: Record<Way, readonly number[]> = { atOnce: [], waiting: [], inApp: [], byCode: [] }
  for (const way of WAYS) {
    await delaysOf(bench, way, plan.warmUp)
    delays[way] = await delaysOf(bench, way, plan.crowd)
  }
  const codesOf = (bic: string) => codesAt(bench.world, nordicBank(bic), metrics, plan.codes)
  return { plan, delays, codes: { VASASESS: await codesOf('VASASESS'), MALBSESS: await codesOf('MALBSESS') } }
}
