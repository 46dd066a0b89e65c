/** Runs the requests of one session one after the other, so that a user with many connections delays no other user. */
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'

/** A browser opens six connections to a host. */
const WAITING_MAX = 12
const RETRY_AFTER_SECONDS = 1

/** Runs a request of a session when the earlier ones have ended; throws `too-many-requests` when too many wait. */
export type RunInSession = <Result>(sessionId: string, run: () => Promise<Result>) => Promise<Result>

export function openSessionRequests(): RunInSession {
  const sessions = new Map<string, { requests: number; last: Promise<unknown> }>()
  return async (sessionId, run) => {
    const session = sessions.getOrInsertComputed(sessionId, () => ({ requests: 0, last: Promise.resolve() }))
    if (session.requests > WAITING_MAX) {
      throw apiError('too-many-requests', 'Too many requests of this session at once', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    session.requests += 1
    const result = session.last.then(run)
    session.last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      session.requests -= 1
      if (session.requests === 0) {
        sessions.delete(sessionId)
      }
    }
  }
}
