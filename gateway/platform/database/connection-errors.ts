/** Ends connections on which the server does not answer, and reports what happens to connections as one error. */
import type pg from 'pg'
import { asUnavailability, DatabaseUnavailable, noAnswerWithin } from './database-unavailable.ts'

/** Longer than `statement_timeout`, by which a server that is alive ends a statement itself. */
export const ANSWER_MILLISECONDS = 20_000
const CONNECT_MILLISECONDS = 5_000

/** Options of a connection: a host that is gone must not be waited for until TCP gives it up. */
export function connectionOptions(answerMilliseconds = ANSWER_MILLISECONDS) {
  return {
    connectionTimeoutMillis: Math.min(CONNECT_MILLISECONDS, answerMilliseconds),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  } as const
}

type Method = (...parameters: readonly unknown[]) => unknown

/** Makes a pool throw `DatabaseUnavailable`. */
export function reportUnavailabilityOfPool(pool: pg.Pool): void {
  pool.connect = reporting(pool.connect.bind(pool) as Method, () => undefined) as typeof pool.connect
  pool.query = reporting(pool.query.bind(pool) as Method, () => undefined) as typeof pool.query
}

/**
 * Makes a connection throw `DatabaseUnavailable`, also when a statement has no answer in time. The connection ends with
 * such an error: an answer that comes later would be taken for that of the next statement, and a server that has become
 * a standby stays one.
 */
export function limitAnswerTime(client: pg.ClientBase, milliseconds = ANSWER_MILLISECONDS): void {
  const { connection } = client as pg.Client
  let timer: NodeJS.Timeout | undefined
  const end = (error: Error) => connection.stream.destroy(error)
  const onTimeout = () => end(noAnswerWithin(milliseconds))
  const onAnswer = () => {
    clearTimeout(timer)
    timer = undefined
  }
  client.on('drain', onAnswer)
  client.on('end', onAnswer)
  const query = reporting(client.query.bind(client) as Method, end)
  client.query = ((...parameters: readonly unknown[]) => {
    // The socket keeps the program running while it waits for an answer. Statements behind the first wait with it.
    timer ??= setTimeout(onTimeout, milliseconds).unref()
    return query(...parameters)
  }) as typeof client.query
}

/** The method, which takes a callback or returns a promise, with its errors translated. */
function reporting(method: Method, onUnavailable: (error: Error) => void): Method {
  const translate = (error: unknown): unknown => {
    const translated = asUnavailability(error)
    if (translated instanceof DatabaseUnavailable) {
      onUnavailable(translated)
    }
    return translated
  }
  return (...parameters) => {
    const callback = parameters.at(-1)
    if (typeof callback === 'function') {
      const translated: Method = (error, ...results) => callback(translate(error), ...results)
      return method(...parameters.slice(0, -1), translated)
    }
    const result = method(...parameters)
    return result instanceof Promise
      ? result.catch((error: unknown) => {
          throw translate(error)
        })
      : result
  }
}
