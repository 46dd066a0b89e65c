/** The sessions of those who logged in: 30 minutes of wall time without use end one, and so does a restart. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../gateway/platform/clock.ts'

const IDLE_MINUTES_MAX = 30

export type Sessions = {
  /** Begins one; answers its token. */
  begin(): string
  /** Whether a token is good; using it keeps it so. */
  use(token: string): boolean
  end(token: string): void
  forgetAll(): void
}

/** None at first. */
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
    end: (token) => void usedAt.delete(token),
    forgetAll: () => usedAt.clear(),
  }
}
