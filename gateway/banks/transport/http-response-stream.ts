/** Sends one HTTP request and streams its answer with backpressure. */
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { wallMilliseconds } from '../../platform/clock.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, StreamedBankResponse } from '../connector/connector-dependencies.ts'
import {
  ANSWER_TIMEOUT_MESSAGE,
  ANSWER_TOO_LARGE_MESSAGE,
  decoderOf,
  decompress,
  type EndOfExchange,
  flattenHeaders,
  readWhole,
  toDispatchOptions,
  unreachableError,
} from './http-exchange.ts'

export type StreamLimits = {
  /** Until the answer begins; an answer other than 200 must be complete by then. */
  readonly callMilliseconds: number
  /** For an answer other than 200, which is read at once. */
  readonly responseBytesMax: number
  readonly streamMilliseconds: number
  readonly streamBytesMax: number
  /** Maximum buffered bytes that are not consumed yet. */
  readonly streamAheadBytes: number
}

type Head = Pick<StreamedBankResponse, 'status' | 'headers' | 'parts'>

const OK = 200
/** Lower statuses are interim responses (RFC 9110, 15.2). */
const FIRST_FINAL = 200
const ABANDONED_MESSAGE = 'The reader stopped before the end'
const NOTHING: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: async function* () {} }

/** Resolves when the answer begins. Rejects with `BankUnreachable` when none begins. Its time is that of its beginning. */
export async function exchangeStreaming(
  dispatcher: Dispatcher,
  request: BankRequest,
  limits: StreamLimits,
  ended: EndOfExchange,
): Promise<StreamedBankResponse> {
  const head = await new Promise<Head>((resolve, reject) => {
    dispatcher.dispatch(toDispatchOptions(request), receiveParts(limits, { resolve, reject, ended }))
  })
  const coding = head.headers['content-encoding']
  const parts = coding === undefined ? head.parts : decompress(head.parts, coding)
  if (head.status === OK) {
    return { ...head, body: '', parts: decodeParts(parts) }
  }
  const bytes = await readWhole(parts, limits.responseBytesMax)
  return { ...head, body: decoderOf(bytes).decode(bytes), parts: NOTHING }
}

function receiveParts(
  limits: StreamLimits,
  on: { resolve: (head: Head) => void; reject: (error: BankUnreachable) => void; ended: EndOfExchange },
): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined
  let isOver = false
  let [status, bytes] = [OK, 0]
  let begunAt: number | undefined
  // Ending the iteration early destroys it, which closes the connection.
  const body = new Readable({
    highWaterMark: limits.streamAheadBytes,
    read: () => controller?.resume(),
    destroy: (error, done) => {
      if (!isOver) {
        controller?.abort(new Error(ABANDONED_MESSAGE))
      }
      done(error)
    },
  })
  // Its reader gets the error, if there is one.
  body.on('error', () => undefined)
  const end = (failure: BankUnreachable | null) => {
    if (!isOver) {
      isOver = true
      clearTimeout(timer)
      on.ended(failure ?? { status }, begunAt)
      if (failure === null) {
        body.push(null)
      } else {
        body.destroy(failure)
        // Nothing happens where the answer has begun.
        on.reject(failure)
      }
    }
  }
  const late = () =>
    controller === undefined
      ? end(new BankUnreachable('The bank could not be reached in time', false))
      : controller.abort(new Error(ANSWER_TIMEOUT_MESSAGE))
  let timer = setTimeout(late, limits.callMilliseconds)
  return {
    onRequestStart: (started) => {
      controller = started
      // The caller has already got the timeout.
      if (isOver) {
        started.abort(new Error(ANSWER_TIMEOUT_MESSAGE))
      }
    },
    onResponseStart: (_controller, answered, headers) => {
      if (answered < FIRST_FINAL) {
        return
      }
      if (answered === OK) {
        clearTimeout(timer)
        timer = setTimeout(late, limits.streamMilliseconds)
      }
      status = answered
      begunAt = wallMilliseconds()
      on.resolve({ status, headers: flattenHeaders(headers), parts: body })
    },
    onResponseData: (started, part) => {
      bytes += part.length
      if (bytes > limits.streamBytesMax) {
        started.abort(new Error(ANSWER_TOO_LARGE_MESSAGE))
      } else if (!body.push(part)) {
        started.pause()
      }
    },
    onResponseEnd: () => end(null),
    onResponseError: (_controller, error) =>
      end(error.message === ABANDONED_MESSAGE ? null : unreachableError(error, controller !== undefined)),
  }
}

const MARK_BYTES_MAX = 3
const UTF_8 = 'utf-8'

/** A body in parts, as UTF-8 without a byte order mark. Ending the iteration ends that of the parts. */
export async function* decodeParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array = new Uint8Array()
  let decode: ((part: Uint8Array) => Uint8Array) | undefined
  for await (const part of parts) {
    if (decode !== undefined) {
      yield decode(part)
      continue
    }
    start = start.length === 0 ? part : Buffer.concat([start, part])
    if (start.length >= MARK_BYTES_MAX) {
      decode = partDecoderOf(start)
      yield decode(start.subarray(markBytesOf(start)))
    }
  }
  if (decode === undefined) {
    yield start.subarray(markBytesOf(start))
  }
}

/** Parts in UTF-8 are passed on as they are: what reads them decodes characters that span two parts. */
function partDecoderOf(start: Uint8Array): (part: Uint8Array) => Uint8Array {
  const decoder = decoderOf(start)
  return decoder.encoding === UTF_8 ? (part) => part : (part) => Buffer.from(decoder.decode(part, { stream: true }))
}

function markBytesOf(start: Uint8Array): number {
  const [first, second, third] = start
  if (decoderOf(start).encoding !== UTF_8) {
    return 2
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? MARK_BYTES_MAX : 0
}
