/** Runs everything that is measured of signing on a Havn of its own. */
import { freePorts } from '../gateway/testing/free-port.ts'
import { nordicBank } from '../gateway/testing/nordic-banks.ts'
import { startHavn } from './running-havn.ts'
import type { MetricsUrls } from './signing-calls.ts'
import { type CodesFigures, type CodesPlan, codesAt } from './signing-codes.ts'
import { type Crowd, delaysOf, type SigningBench, WAYS, type Way } from './signing-ways.ts'
import { openSigningWorld } from './signing-world.ts'
import { openRecorder } from './webhook-partners.ts'

/** How much of everything. */
export type SigningPlan = { readonly crowd: Crowd; readonly codes: CodesPlan }

export const FULL_SIGNING: SigningPlan = { crowd: { count: 100, atATime: 20 }, codes: { loops: 20, seconds: 20 } }
/** Shows that the bench works; its figures mean nothing. */
export const SHORT_SIGNING: SigningPlan = { crowd: { count: 4, atATime: 4 }, codes: { loops: 2, seconds: 2 } }

/** Both change their codes each second: one gives text and image, the other the image alone, at an address. */
export const CODE_BANKS = ['VASASESS', 'MALBSESS'] as const

export type SigningFigures = {
  readonly plan: SigningPlan
  /** Milliseconds from the bank's word, one for each user. */
  readonly delays: Readonly<Record<Way, readonly number[]>>
  readonly codes: Readonly<Record<(typeof CODE_BANKS)[number], CodesFigures>>
}

/** Code that has never run is slow; a user is not the first of the day. */
const WARM_UP: Crowd = { count: 4, atATime: 4 }

/** Measures in an empty folder; leaves nothing behind, even when it is interrupted. */
export async function measureSigning(
  folder: string,
  plan: SigningPlan,
  interrupted: Promise<never>,
): Promise<SigningFigures> {
  const [workerPort] = await freePorts(1)
  const havn = await startHavn(folder, { HAVN_WORKER_PORT: String(workerPort) })
  const recorder = await openRecorder(havn)
  try {
    const metrics = { gateway: `${havn.url}/metrics`, worker: `http://127.0.0.1:${workerPort}/metrics` }
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
    await delaysOf(bench, way, WARM_UP)
    delays[way] = await delaysOf(bench, way, plan.crowd)
  }
  const codesOf = (bic: string) => codesAt(bench.world, nordicBank(bic), metrics, plan.codes)
  return { plan, delays, codes: { VASASESS: await codesOf('VASASESS'), MALBSESS: await codesOf('MALBSESS') } }
}
