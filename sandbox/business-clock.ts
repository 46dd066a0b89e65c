/** The business time of a program of the sandbox: stored as its offset from wall time, and moved by the control API. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { MovableClock } from '../gateway/platform/clock.ts'
import type { Database } from '../gateway/platform/database/database.ts'
import { ControlError } from './control-scope.ts'
import type { Sweep } from './due-rows.ts'

/** The program has a table `clock` with one row. */
type Clocked = { readonly database: Pick<Database<unknown>, 'pool'>; readonly clock: MovableClock }

/** Sets the clock to the stored offset. */
export async function loadClock({ database, clock }: Clocked): Promise<void> {
  const { rows } = await database.pool.query<{ offset_milliseconds: bigint }>('select offset_milliseconds from clock')
  clock.setOffset(Number(rows[0]?.offset_milliseconds ?? 0n))
}

/** Resets business time to wall time. */
export async function resetClock(program: Clocked): Promise<void> {
  await storeOffset(program, 0)
}

async function storeOffset({ database, clock }: Clocked, milliseconds: number): Promise<void> {
  await database.pool.query('update clock set offset_milliseconds = $1', [milliseconds])
  clock.setOffset(milliseconds)
}

const ClockMove = Type.Object({ now: Type.Optional(Type.String()), reset: Type.Optional(Type.Literal(true)) })

/** Reads and moves the clock; moving it back reverses nothing. */
export function clockRoutes(program: Clocked, sweep: Sweep, scope: FastifyInstance): void {
  const { clock } = program
  const render = (nextDueAt: Temporal.Instant | null) => ({
    now: clock.now().toString(),
    nextDueAt: nextDueAt?.toString() ?? null,
  })
  scope.get('/clock', async () => render(await sweep.nextDueAt()))
  scope.post<{ Body: Static<typeof ClockMove> }>('/clock', { schema: { body: ClockMove } }, async ({ body }) => {
    const target = body.reset === true ? null : parseInstant(body.now)
    await sweep.runExclusive(async () => {
      // Rounded up, so that everything due at that very instant is due afterwards.
      const ahead = target?.since(clock.real()).total('milliseconds') ?? 0
      await storeOffset(program, Math.ceil(ahead))
    })
    return render(await sweep.runUntilIdle())
  })
}

/** Of other years, calendars or the database lack days, and nothing here would work until a reset. */
const YEARS = /^[1-8]\d{3}-/

function parseInstant(text = ''): Temporal.Instant {
  try {
    return Temporal.Instant.from(YEARS.test(text) ? text : '')
  } catch {
    throw new ControlError(400, 'Say {"now": "<ISO instant>"}, of a year from 1000 to 8999, or {"reset": true}')
  }
}
