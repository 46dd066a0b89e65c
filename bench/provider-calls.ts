/** Watches how often the sandbox's provider of exchange is called, by its own count. */

export type ProviderCalls = {
  /** Ends the watch, and answers how many calls came in the busiest minute. */
  end(): Promise<number>
}

const LOOK_EVERY_MILLISECONDS = 1_000
const LOOKS_PER_MINUTE = 60

/** Looks every second. */
export function watchProviderCalls(fxUrl: string): ProviderCalls {
  const totals: number[] = []
  const look = async () => {
    totals.push(await callsAt(fxUrl))
  }
  const looks: Promise<void>[] = [look()]
  const timer = setInterval(() => looks.push(look()), LOOK_EVERY_MILLISECONDS)
  return {
    end: async () => {
      clearInterval(timer)
      await Promise.all([...looks, look()])
      return Math.max(...totals.map((total, at) => total - (totals[Math.max(0, at - LOOKS_PER_MINUTE)] ?? 0)))
    },
  }
}

async function callsAt(fxUrl: string): Promise<number> {
  const counts: unknown = await (await fetch(`${fxUrl}/control/calls`)).json()
  return Object.values(Object(counts)).reduce((sum: number, count) => sum + Number(count), 0)
}
