/** Limits the requests of one session, and does their work in turn, so that a user with many connections delays no other user. */
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'

/** A browser opens six connections to a host. */
const REQUESTS_MAX = 13
const RETRY_AFTER_SECONDS = 1
/** Longer than a page takes to arrive, which ends the clicks on the one before. */
const DOUBLE_CLICK_MILLISECONDS = 2_000

/** Does a part of a request's work when the earlier parts of its session have ended. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A request that counts until it has ended. */
export type SessionRequest<Answer> = {
  readonly inTurn: InTurn
  /** The same for a form; one that is sent twice in succession, as by a double click, is handled once, and has that answer. */
  readonly onceInTurn: (form: string, work: () => Promise<Answer>) => Promise<Answer>
  readonly end: () => void
}

/** Begins a request of a session; throws `too-many-requests` when too many have not ended. */
export type BeginInSession<Answer> = (sessionId: string) => SessionRequest<Answer>

export function openSessionRequests<Answer>(): BeginInSession<Answer> {
  const sessions = new Map<string, { requests: number; last: Promise<unknown> }>()
  const lastForms = new Map<string, { readonly form: string; readonly answer: Promise<Answer> }>()
  return (sessionId) => {
    const session = sessions.getOrInsertComputed(sessionId, () => ({ requests: 0, last: Promise.resolve() }))
    if (session.requests >= REQUESTS_MAX) {
      throw apiError('too-many-requests', 'Too many requests of this session at once: wait a second, and try again', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    session.requests += 1
    const inTurn: InTurn = (work) => {
      const result = session.last.then(work)
      session.last = result.catch(() => undefined)
      return result
    }
    return {
      inTurn,
      onceInTurn: (form, work) => {
        const before = lastForms.get(sessionId)
        if (before?.form === form) {
          return before.answer
        }
        const sent = { form, answer: inTurn(work) }
        lastForms.set(sessionId, sent)
        const forget = () => lastForms.get(sessionId) === sent && lastForms.delete(sessionId)
        const forgetLater = () => void setTimeout(forget, DOUBLE_CLICK_MILLISECONDS).unref()
        sent.answer.then(forgetLater, forgetLater)
        return sent.answer
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
