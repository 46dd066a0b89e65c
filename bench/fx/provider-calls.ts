/** Watches how often the sandbox's provider of exchange is called, by its own count, and sets how often it may be. */
import { setInterval } from 'node:timers/promises'

const LOOK_EVERY_MILLISECONDS = 1_000
const LOOKS_PER_MINUTE = 60

/** How many calls came in the busiest minute while something went on; looks every second. */
export async function busiestMinuteOf(fxUrl: string, something: () => Promise<unknown>): Promise<number> {
  const over = new AbortController()
  const totals = [await callsAt(fxUrl)]
  const watch = async () => {
    for await (const _ of setInterval(LOOK_EVERY_MILLISECONDS, undefined, { signal: over.signal })) {
      totals.push(await callsAt(fxUrl))
    }
  }
  const watching = watch().catch(() => undefined)
  try {
    await something()
    totals.push(await callsAt(fxUrl))
  } finally {
    over.abort()
    await watching
  }
  return Math.max(...totals.map((total, at) => total - (totals[Math.max(0, at - LOOKS_PER_MINUTE)] ?? 0)))
}

/** From now on the provider answers no more calls in a minute than these. */
export async function permitCalls(fxUrl: string, perMinute: number): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${fxUrl}/control/limits`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ perMinute }),
  })
  if (!answer.ok) {
    throw new Error(`The provider did not take its limit: ${await answer.text()}`)
  }
}

async function callsAt(fxUrl: string): Promise<number> {
  const counts: unknown = await (await fetch(`${fxUrl}/control/calls`)).json()
  return Object.values(Object(counts)).reduce((sum: number, count) => sum + Number(count), 0)
}
