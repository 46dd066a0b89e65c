/** Control API for the bank's business time. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { BankContext } from '../bank-context.ts'
import { moveClock, resetClock } from '../clock-store.ts'
import type { Sweep } from '../sweep.ts'
import { ControlError } from './control-error.ts'

const ClockMove = Type.Object({ now: Type.Optional(Type.String()), reset: Type.Optional(Type.Literal(true)) })
type ClockMove = Static<typeof ClockMove>

/** The current time, and the next due time. */
type ClockReading = { readonly now: string; readonly nextDueAt: string | null }

export function clockControl(context: BankContext, sweep: Sweep, scope: FastifyInstance): void {
  scope.get('/clock', async () => readingOf(context, await sweep.nextDueAt()))
  scope.post<{ Body: ClockMove }>('/clock', { schema: { body: ClockMove } }, async ({ body }) => {
    const target = body.reset === true ? null : parseInstant(body.now)
    await sweep.runExclusive(() => (target === null ? resetClock(context) : moveClock(context, target)))
    return readingOf(context, await sweep.runUntilIdle())
  })
}

function readingOf(context: BankContext, nextDueAt: Temporal.Instant | null): ClockReading {
  return { now: context.clock.now().toString(), nextDueAt: nextDueAt?.toString() ?? null }
}

function parseInstant(text: string | undefined): Temporal.Instant {
  try {
    return Temporal.Instant.from(text ?? '')
  } catch {
    throw new ControlError(400, 'Say {"now": "<ISO instant>"} or {"reset": true}')
  }
}
