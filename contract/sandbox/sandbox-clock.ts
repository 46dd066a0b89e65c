/** Declares the operations on the sandbox clock: get and move business time. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { instant, instantParameter, requiringFields } from '../shapes.ts'

const DURATION = '^P(?=[0-9T])([0-9]+W|([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+S)?)?)$'

/** The ways to move the clock: exactly one of the fields is present. */
export const ClockMove = Type.Object(
  {
    advance: Type.Optional(
      Type.String({
        pattern: DURATION,
        form: 'must be a duration of ISO 8601, for example PT2H',
        quotable: true,
        description: 'By how much business time moves ahead: weeks, or days, hours, minutes and seconds (ISO 8601).',
      }),
    ),
    set: Type.Optional(instantParameter('The business time to move to; not before the present one.')),
    reset: Type.Optional(Type.Literal(true, { description: 'Puts business time back in step with wall time.' })),
  },
  {
    title: 'ClockMove',
    description: 'How business time is to move: exactly one of `advance`, `set` and `reset`.',
    anyOf: [requiringFields(['advance']), requiringFields(['set']), requiringFields(['reset'])],
    not: {
      anyOf: [
        requiringFields(['advance', 'set']),
        requiringFields(['advance', 'reset']),
        requiringFields(['set', 'reset']),
      ],
    },
  },
)
export type ClockMove = Static<typeof ClockMove>

export const SandboxClock = Type.Object(
  {
    now: instant('Business time: due dates, deadlines, settlement, expiry of consents and quotes.'),
    real: instant('Wall time: tokens, signatures, rate limits.'),
    offsetSeconds: Type.Number({ description: 'How far business time is ahead of wall time, in seconds.' }),
    movingTo: Type.Optional(
      instant('The target of a move that is in progress; absent when there is none. `now` shows how far it has come.'),
    ),
  },
  { title: 'SandboxClock', description: 'The two times of the sandbox.' },
)
export type SandboxClock = Static<typeof SandboxClock>

const clock = {
  path: '/api/sandbox/clock',
  tag: 'Sandbox',
  admits: 'partner',
  answer: { status: 200, schema: SandboxClock },
  sandboxOnly: true,
} as const

export const getSandboxClock = operation({
  ...clock,
  id: 'getSandboxClock',
  method: 'GET',
  summary: 'Read the sandbox clock',
  description: 'Business time and wall time, and the target of a move in progress.',
  errorStatuses: [401, 403, 429, 500, 503],
})

export const moveSandboxClock = operation({
  ...clock,
  id: 'moveSandboxClock',
  method: 'POST',
  summary: 'Move the sandbox clock',
  destructive: 'Business time moves for every partner of the sandbox, and what is due happens.',
  description:
    'What falls due in between happens in order. The answer is 200 when business time has arrived. If that takes ' +
    'longer than 5 seconds, the answer is 202 with `movingTo`, and the move continues: `GET /api/sandbox/clock` ' +
    'shows `movingTo` until it has ended. Until then another move is rejected with 409. Backwards only by `reset`.',
  body: ClockMove,
  answer: { ...clock.answer, continuesWith: 'movingTo' },
  errorStatuses: [400, 401, 403, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
})
