/** API sessions: they expire after 30 minutes of wall time without use, and do not survive a restart. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../gateway/platform/clock.ts'

const IDLE_MINUTES_MAX = 30

export type Sessions = {
  /** Opens a session; returns its token. */
  begin(): string
  /** Whether a token is valid; extends its session. */
  use(token: string): boolean
  deleteAll(): void
}

export function openSessions(clock: Pick<Clock, 'real'>): Sessions {
  const usedAt = new Map<string, Temporal.Instant>()
  return {
    begin: () => {
      const token = randomBytes(16).toString('hex')
      usedAt.set(token, clock.real())
      return token
    },
    use: (token) => {
      const last = usedAt.get(token)
      const now = clock.real()
      const isGood = last !== undefined && Temporal.Instant.compare(now, last.add({ minutes: IDLE_MINUTES_MAX })) <= 0
      if (isGood) {
        usedAt.set(token, now)
      } else {
        usedAt.delete(token)
      }
      return isGood
    },
    deleteAll: () => usedAt.clear(),
  }
}
