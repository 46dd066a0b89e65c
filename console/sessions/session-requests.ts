/** Limits the requests of one session, and does their work in turn, so that a user with many connections delays no other user. */
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'

/** A browser opens six connections to a host. */
const REQUESTS_MAX = 13
const RETRY_AFTER_SECONDS = 1

/** Does a part of a request's work when the earlier parts of its session have ended. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A request that counts until it has ended. */
export type SessionRequest = { readonly inTurn: InTurn; readonly end: () => void }

/** Begins a request of a session; throws `too-many-requests` when too many have not ended. */
export type BeginInSession = (sessionId: string) => SessionRequest

export function openSessionRequests(): BeginInSession {
  const sessions = new Map<string, { requests: number; last: Promise<unknown> }>()
  return (sessionId) => {
    const session = sessions.getOrInsertComputed(sessionId, () => ({ requests: 0, last: Promise.resolve() }))
    if (session.requests >= REQUESTS_MAX) {
      throw apiError('too-many-requests', 'Too many requests of this session at once', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    session.requests += 1
    return {
      inTurn: (work) => {
        const result = session.last.then(work)
        session.last = result.catch(() => undefined)
        return result
      },
      end: () => {
        session.requests -= 1
        if (session.requests === 0) {
          sessions.delete(sessionId)
        }
      },
    }
  }
}

/** The parts of a file, each made in turn: a file that is being sent holds up its session's pages no longer than a part. */
export async function* partsInTurn(parts: AsyncGenerator<string>, inTurn: InTurn): AsyncGenerator<string> {
  try {
    for (;;) {
      const part = await inTurn(() => parts.next())
      if (part.done === true) {
        return
      }
      yield part.value
    }
  } finally {
    await parts.return(undefined)
  }
}
