/** Measures the latency that the gateway adds to a bank call at a steady request rate. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Initiate } from '../environment/initiation-client.ts'
import type { StubBank } from '../environment/stub-bank.ts'
import { quantile } from '../figures.ts'

/** Requests per second, and the duration. */
export type Pace = { readonly perSecond: number; readonly warmUpSeconds: number; readonly seconds: number }

/** The latency in addition to the bank's own. */
export type AddedLatency = { readonly p50: number; readonly p99: number }

/** Long enough that requests overlap, as they do at real banks. */
const BANK_TAKES_MILLISECONDS = 50

/**
 * Requests are sent on schedule, not after the previous response, so that a slow response delays no other (no
 * coordinated omission). The bank's time is measured inside the stub; the rest is the gateway's, the network and the
 * load generator.
 */
export async function addedLatency(initiate: Initiate, stub: StubBank, pace: Pace): Promise<AddedLatency> {
  stub.takeMilliseconds(BANK_TAKES_MILLISECONDS)
  const added: number[] = []
  const sent: Promise<void>[] = []
  const count = pace.perSecond * (pace.warmUpSeconds + pace.seconds)
  const counted = pace.perSecond * pace.warmUpSeconds
  const began = performance.now()
  for (let index = 0; index < count; index += 1) {
    await pause(Math.max(0, began + (index * 1000) / pace.perSecond - performance.now()))
    sent.push(
      timed(initiate, stub).then((milliseconds) => {
        if (index >= counted) {
          added.push(milliseconds)
        }
      }),
    )
  }
  await Promise.all(sent)
  stub.takeMilliseconds(0)
  return { p50: quantile(added, 0.5), p99: quantile(added, 0.99) }
}

async function timed(initiate: Initiate, stub: StubBank): Promise<number> {
  const began = performance.now()
  const endToEndId = await initiate()
  const total = performance.now() - began
  const took = stub.tookMilliseconds(endToEndId)
  if (took === undefined) {
    throw new Error(`The stub bank did not see the order ${endToEndId}`)
  }
  return total - took
}
