/** Posts one delivery on a pool's connection and reads the answer's status and the beginning of its body. */
import type { Dispatcher } from 'undici'
import type { Destination } from './destination-policy.ts'

/** What is posted where: a body byte for byte, with headers that the caller has signed. */
export type Posting = {
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Answer = {
  readonly status: number
  /** The beginning of the body, for the log. */
  readonly answer: string
}

/** Why there is no answer. */
export class NoAnswer extends Error {}

/** Enough to see what an endpoint complains of; nothing after it is read. */
export const ANSWER_BYTES_MAX = 1024

const TIME_IS_UP = 'The endpoint did not answer in time'

/**
 * Posts, and settles when the answer has ended, when its first kilobyte is there, or when time is up. An answer whose
 * status has come counts, even if its body does not end: the body says nothing that changes the outcome.
 */
export function postOnce(
  pool: Dispatcher,
  { path }: Pick<Destination, 'path'>,
  { headers, body }: Posting,
  milliseconds: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    pool.dispatch({ path, method: 'POST', headers, body }, collect(milliseconds, { resolve, reject }))
  })
}

function collect(
  milliseconds: number,
  settle: { readonly resolve: (answer: Answer) => void; readonly reject: (error: NoAnswer) => void },
): Dispatcher.DispatchHandler {
  const parts: Buffer[] = []
  let status = 0
  let controller: Dispatcher.DispatchController | undefined
  let late = false
  const timer = setTimeout(() => {
    late = true
    end(TIME_IS_UP)
    controller?.abort(new Error(TIME_IS_UP))
  }, milliseconds)
  // Whichever comes first settles; a promise settles once.
  const end = (reason: string) => {
    clearTimeout(timer)
    if (status === 0) {
      settle.reject(new NoAnswer(reason))
    } else {
      settle.resolve({ status, answer: beginningOf(parts) })
    }
  }
  return {
    onRequestStart: (started) => {
      controller = started
      // What nobody waits for any more is not begun: undici writes nothing of a request that is aborted here.
      if (late) {
        started.abort(new Error(TIME_IS_UP))
      }
    },
    onResponseStart: (_controller, code) => {
      status = code < 200 ? 0 : code
    },
    onResponseData: (started, part) => {
      const wanted = ANSWER_BYTES_MAX - parts.reduce((sum, { length }) => sum + length, 0)
      parts.push(part.subarray(0, wanted))
      if (part.length > wanted) {
        end('')
        started.abort(new Error('The answer is longer than is kept of it'))
      }
    },
    onResponseEnd: () => end(''),
    onResponseError: (_controller, error) => end(reasonOf(error)),
  }
}

/** As text without what text in the database cannot hold; a character cut in half at the end is left out. */
function beginningOf(parts: readonly Buffer[]): string {
  if (parts.length === 0) {
    return ''
  }
  const text = new TextDecoder().decode(Buffer.concat(parts), { stream: true })
  return text.replaceAll('\0', '\u{fffd}')
}

/** Names the failure by its code; its message could tell of addresses inside. */
function reasonOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return `The endpoint gave no answer (${code})`
}
