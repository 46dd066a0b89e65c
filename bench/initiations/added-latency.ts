/** Measures what the gateway adds to a bank call when requests come at a steady pace, whatever the answers do. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Initiate } from '../environment/initiation-client.ts'
import type { StubBank } from '../environment/stub-bank.ts'
import { quantile } from '../figures.ts'

/** How many requests come in a second, and for how long. */
export type Pace = { readonly perSecond: number; readonly warmUpSeconds: number; readonly seconds: number }

/** What is added to the bank's own time. */
export type AddedLatency = { readonly p50: number; readonly p99: number }

/** Long enough that requests overlap, as they do at real banks. */
const BANK_TAKES_MILLISECONDS = 50

/**
 * Each request is sent when its time has come and not when another is answered, so a slow answer hides no other.
 * The bank's time is what this order took inside it; the rest is the gateway's, the network and the load generator.
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
