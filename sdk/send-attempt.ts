/** Sends one HTTP request and receives its response, within the limits of time. */
import type { Call } from './call.ts'
import { type Connection, requireTimeout } from './client-settings.ts'
import { HavnConnectionError, HavnTimeoutError } from './errors/havn-error.ts'
import type { NamedOperation } from './operation-entry.ts'
import type { PreparedRequest } from './request.ts'

/** A response: its body as text, or as a stream if that was asked for and the response is a success. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly stream: ReadableStream<Uint8Array> | undefined
}

/** A call whose inputs have been read, and whether a success is returned as a stream. */
export type PreparedCall = Call & { readonly request: PreparedRequest; readonly streamed: boolean }

/** Sends a request. Without a response it throws a `HavnConnectionError`, or the reason of the caller's signal. */
export async function sendAttempt(
  connection: Connection,
  entry: NamedOperation,
  call: PreparedCall,
  token: string | undefined,
): Promise<Answer> {
  const milliseconds =
    call.timeoutSeconds === undefined ? connection.timeoutMilliseconds : requireTimeout(call.timeoutSeconds) * 1_000
  const limit = timeLimit(milliseconds, call.signal)
  const { url, body } = call.request
  const headers = new Headers(call.request.headers)
  if (token !== undefined) {
    headers.set('authorization', `Bearer ${token}`)
  }
  const failed = (cause: unknown) =>
    connectionError(entry, call, limit.isOver() ? milliseconds / 1_000 : undefined, cause)
  limit.start()
  try {
    const response = await connection.fetch(url, {
      method: entry.method,
      headers,
      body,
      redirect: 'manual',
      signal: limit.signal,
    })
    const { status, headers: answered, body: content } = response
    return call.streamed && status === entry.status && content !== null
      ? { status, headers: answered, text: '', stream: limited(content, limit, failed) }
      : { status, headers: answered, text: await response.text(), stream: undefined }
  } catch (cause) {
    throw failed(cause)
  } finally {
    limit.stop()
  }
}

/** A stream whose every chunk has the time limit of a response, and whose failure is the client's error. */
function limited(
  body: ReadableStream<Uint8Array>,
  limit: TimeLimit,
  failed: (cause: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      limit.start()
      try {
        const { done, value } = await reader.read()
        if (done) {
          controller.close()
        } else {
          controller.enqueue(value)
        }
      } catch (cause) {
        controller.error(failed(cause))
      } finally {
        limit.stop()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** `lateAfterSeconds` is the limit that has passed, if one has. */
function connectionError(
  { id: operation }: NamedOperation,
  { signal, idempotencyKey }: Call,
  lateAfterSeconds: number | undefined,
  cause: unknown,
): unknown {
  if (signal?.aborted === true) {
    return signal.reason
  }
  const details = { operation, idempotencyKey, cause }
  if (lateAfterSeconds !== undefined) {
    const text = `${operation} had no response within ${lateAfterSeconds} seconds`
    return new HavnTimeoutError(text, { ...details, code: 'TimedOut' })
  }
  return new HavnConnectionError(`${operation} had no response: ${reasonOf(cause)}`, {
    ...details,
    code: 'ConnectionFailed',
  })
}

/** The innermost reason: `fetch failed` alone explains nothing. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return String(cause)
  }
  const inner = cause.cause instanceof Error ? reasonOf(cause.cause) : ''
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return inner || cause.message || code || cause.name
}

/** Limits how long an attempt may wait for the next byte; it runs while something is awaited. */
type TimeLimit = {
  /** Aborted when the limit has passed, or by the caller. */
  readonly signal: AbortSignal
  /** Whether the limit has passed. */
  isOver(): boolean
  /** Starts the limit, or starts it again. */
  start(): void
  stop(): void
}

function timeLimit(milliseconds: number, callerSignal: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  const stop = () => clearTimeout(timer)
  return {
    signal: callerSignal === undefined ? controller.signal : AbortSignal.any([controller.signal, callerSignal]),
    isOver: () => over,
    start() {
      stop()
      timer = setTimeout(() => {
        over = true
        controller.abort()
      }, milliseconds)
    },
    stop,
  }
}
