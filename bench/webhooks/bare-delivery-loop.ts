/** Signs and posts as fast as one process can, without a database: the baseline of deliveries. */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from '../../gateway/webhooks/deliveries/dispatch/connection-pools.ts'
import { IN_FLIGHT_PER_PACE_MAX } from '../../gateway/webhooks/deliveries/fair-scheduling.ts'
import type { Endpoints } from './webhook-endpoints.ts'

const SECRET = 'the bare loop’s own secret'
const FIRST_ANSWER_POLL_MILLISECONDS = 20

export type BareLoad = { readonly origins: readonly string[]; readonly warmUpSeconds: number; readonly seconds: number }

/** Posts to every origin with the delivery engine's number of connections, and counts the responses. */
export async function measureBareDeliveryLoop(endpoints: Endpoints, load: BareLoad): Promise<number> {
  const pools = load.origins.map(
    (origin) =>
      new Pool(origin, {
        connections: CONNECTIONS_PER_ORIGIN_MAX,
        allowH2: false,
        connect: { ca: endpoints.authority },
      }),
  )
  endpoints.know('/bare', SECRET)
  let answered = 0
  let isOver = false
  const loops = pools.flatMap((pool) =>
    Array.from(
      { length: Math.min(CONNECTIONS_PER_ORIGIN_MAX, Math.ceil(IN_FLIGHT_PER_PACE_MAX / pools.length)) },
      async () => {
        while (!isOver) {
          await postOne(pool)
          answered += 1
        }
      },
    ),
  )
  await pause(load.warmUpSeconds * 1000)
  const [from, begun] = [answered, wallMilliseconds()]
  await pause(load.seconds * 1000)
  // A busy machine may need longer for the first.
  while (answered === from) {
    await pause(FIRST_ANSWER_POLL_MILLISECONDS)
  }
  const perSecond = ((answered - from) * 1000) / (wallMilliseconds() - begun)
  isOver = true
  await Promise.all(loops)
  await Promise.all(pools.map((pool) => pool.close()))
  await endpoints.report()
  return perSecond
}

async function postOne(pool: Pool): Promise<void> {
  const [id, timestamp] = [randomUUID(), Math.floor(wallMilliseconds() / 1000)]
  const body = JSON.stringify({
    id,
    type: 'PAYMENT_STATUS_COMPLETED',
    version: '1',
    occurredAt: '2026-11-21T06:00:00.123Z',
    data: {
      paymentId: id,
      previousStatus: 'InProgress',
      status: 'Completed',
      statusReason: null,
      statusReasonText: null,
    },
  })
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
  const { statusCode, body: answer } = await pool.request({
    path: '/bare',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-webhook-id': id,
      'x-svc-webhook-event': 'PAYMENT_STATUS_COMPLETED',
      'x-svc-webhook-timestamp': String(timestamp),
      'x-svc-webhook-signature': `v1=${signature}`,
    },
    body,
  })
  await answer.dump()
  if (statusCode !== 204) {
    throw new Error(`The endpoint answered ${statusCode}`)
  }
}
