/** Runs the process that plays partners' endpoints, and asks it what has arrived. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** How an endpoint takes deliveries. */
export type Manner = 'accept' | Misbehaviour
export type Misbehaviour = 'dead' | 'drip' | 'late'

/** What the process is told. */
export type Order =
  | { readonly kind: 'behave'; readonly manner: Misbehaviour; readonly path: string }
  | { readonly kind: 'know'; readonly path: string; readonly secret: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'report' }

/** What arrived since the last report: keys are path and payment, times are wall milliseconds. */
export type Arrivals = { readonly keys: string[]; readonly times: number[]; forged: number }

export type Endpoints = {
  readonly origins: readonly string[]
  /** PEM of the authority behind their certificates. */
  readonly authority: string
  /** From now on and for good; nothing that comes there is reported any more. */
  misbehave(path: string, manner: Misbehaviour): void
  /** Deliveries to the path are signed with the secret. */
  know(path: string, secret: string): void
  count(): Promise<number>
  /** When each delivery arrived first. Throws when one was not signed as it must be. */
  report(): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('webhook-endpoint-process.ts', import.meta.url))

/** Opens so many origins, each a port of its own. */
export async function startEndpoints(count: number): Promise<Endpoints> {
  const child = fork(PROGRAM, [String(count)])
  const tell = (order: Order) => void child.send(order)
  const ask = async <Answer>(order: Order): Promise<Answer> => {
    const answered = once(child, 'message')
    tell(order)
    return (await answered)[0]
  }
  const [opened] = await once(child, 'message')
  return {
    ...opened,
    misbehave: (path, manner) => tell({ kind: 'behave', path, manner }),
    know: (path, secret) => tell({ kind: 'know', path, secret }),
    count: async () => (await ask<{ count: number }>({ kind: 'count' })).count,
    report: async () => firstTimes(await ask<Arrivals>({ kind: 'report' })),
    close: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function firstTimes({ keys, times, forged }: Arrivals): ReadonlyMap<string, number> {
  if (forged > 0) {
    throw new Error(`${forged} deliveries were not signed as they must be`)
  }
  const firsts = new Map<string, number>()
  for (const [at, key] of keys.entries()) {
    firsts.set(key, Math.min(firsts.get(key) ?? Number.POSITIVE_INFINITY, times[at] ?? Number.NaN))
  }
  return firsts
}
