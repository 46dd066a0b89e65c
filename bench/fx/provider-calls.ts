/** Reads how often the sandbox's FX provider is called, and sets its rate limit. */
import { setInterval } from 'node:timers/promises'

const POLL_MILLISECONDS = 1_000
const POLLS_PER_MINUTE = 60

/** The calls in the busiest minute while a measurement runs; polled every second. */
export async function busiestMinuteOf(fxUrl: string, something: () => Promise<unknown>): Promise<number> {
  const over = new AbortController()
  const totals = [await callsAt(fxUrl)]
  const watch = async () => {
    for await (const _ of setInterval(POLL_MILLISECONDS, undefined, { signal: over.signal })) {
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
  return Math.max(...totals.map((total, at) => total - (totals[Math.max(0, at - POLLS_PER_MINUTE)] ?? 0)))
}

/** From now on the provider accepts at most so many calls per minute. */
export async function setCallLimit(fxUrl: string, perMinute: number): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${fxUrl}/control/limits`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ perMinute }),
  })
  if (!answer.ok) {
    throw new Error(`The provider rejected its rate limit: ${await answer.text()}`)
  }
}

async function callsAt(fxUrl: string): Promise<number> {
  const counts: unknown = await (await fetch(`${fxUrl}/control/calls`)).json()
  return Object.values(Object(counts)).reduce((sum: number, count) => sum + Number(count), 0)
}
