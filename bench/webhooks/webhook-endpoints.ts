/** Runs the process that simulates partners' endpoints, and reads what has arrived. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The behaviour of an endpoint. */
export type EndpointBehaviour = 'accept' | Misbehaviour
export type Misbehaviour = 'dead' | 'drip' | 'late'

/** Commands to the process. */
export type EndpointCommand =
  | { readonly kind: 'behave'; readonly manner: Misbehaviour; readonly path: string }
  | { readonly kind: 'know'; readonly path: string; readonly secret: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'report' }

/** Deliveries since the last report: keys are path and payment, times are milliseconds of wall time. */
export type ReceivedDeliveries = { readonly keys: string[]; readonly times: number[]; forged: number }

export type Endpoints = {
  readonly origins: readonly string[]
  /** PEM of the authority that issued their certificates. */
  readonly authority: string
  /** Permanent; deliveries to the path are no longer reported. */
  misbehave(path: string, manner: Misbehaviour): void
  /** Registers the secret that signs deliveries to the path. */
  know(path: string, secret: string): void
  count(): Promise<number>
  /** When each delivery first arrived. Throws when one had an invalid signature. */
  report(): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./webhook-endpoint-process.ts', import.meta.url))

/** Opens this many origins, each with its own port. */
export async function startEndpoints(count: number): Promise<Endpoints> {
  const child = fork(PROGRAM, [String(count)])
  const send = (order: EndpointCommand) => void child.send(order)
  const query = async <Answer>(order: EndpointCommand): Promise<Answer> => {
    const answered = once(child, 'message')
    send(order)
    return (await answered)[0]
  }
  const [opened] = await once(child, 'message')
  return {
    ...opened,
    misbehave: (path, manner) => send({ kind: 'behave', path, manner }),
    know: (path, secret) => send({ kind: 'know', path, secret }),
    count: async () => (await query<{ count: number }>({ kind: 'count' })).count,
    report: async () => firstDeliveryTimes(await query<ReceivedDeliveries>({ kind: 'report' })),
    close: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function firstDeliveryTimes({ keys, times, forged }: ReceivedDeliveries): ReadonlyMap<string, number> {
  if (forged > 0) {
    throw new Error(`${forged} deliveries were not signed as they must be`)
  }
  const firsts = new Map<string, number>()
  for (const [at, key] of keys.entries()) {
    firsts.set(key, Math.min(firsts.get(key) ?? Number.POSITIVE_INFINITY, times[at] ?? Number.NaN))
  }
  return firsts
}
