/** Examples of the operations on the sandbox clock. */
import type { Examples } from '../operation-example.ts'
import type { getSandboxClock, moveSandboxClock } from '../sandbox/sandbox-clock.ts'

export const getSandboxClockExamples: Examples<typeof getSandboxClock> = [
  {
    summary: 'A clock that was not moved',
    answer: { now: '2026-11-23T09:05:00.000Z', real: '2026-11-23T09:05:00.000Z', offsetSeconds: 0 },
  },
]

export const moveSandboxClockExamples: Examples<typeof moveSandboxClock> = [
  {
    summary: 'Two days ahead, past the due date',
    body: { advance: 'P2D' },
    answer: { now: '2026-11-25T09:05:00.000Z', real: '2026-11-23T09:05:00.000Z', offsetSeconds: 172_800 },
  },
  {
    summary: 'To a given time',
    body: { set: '2026-11-25T12:00:00Z' },
    answer: { now: '2026-11-25T12:00:00.000Z', real: '2026-11-23T09:05:00.000Z', offsetSeconds: 183_300 },
  },
  {
    summary: 'A move that continues after the answer',
    body: { advance: 'P2D' },
    answer: {
      now: '2026-11-23T10:20:00.000Z',
      real: '2026-11-23T09:05:05.000Z',
      offsetSeconds: 4495,
      movingTo: '2026-11-25T09:05:00.000Z',
    },
  },
  {
    summary: 'Business time equals wall time again',
    body: { reset: true },
    answer: { now: '2026-11-23T09:05:00.000Z', real: '2026-11-23T09:05:00.000Z', offsetSeconds: 0 },
  },
]
