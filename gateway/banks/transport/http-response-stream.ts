/** One HTTP request whose answer is read while it comes, and comes no faster than it is read. */
import type { Dispatcher } from 'undici'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, BankStreamed } from '../connector/connector-dependencies.ts'
import { optionsOf, singleHeaders, TOO_LARGE, TOO_LONG, unreachable } from './http-exchange.ts'

export type StreamLimits = {
  /** Until the answer begins; one that is no 200 has ended by then. */
  readonly callMilliseconds: number
  /** Of an answer that is no 200 and therefore read at once. */
  readonly responseBytesMax: number
  readonly streamMilliseconds: number
  readonly streamBytesMax: number
  /** So much is read ahead of whoever takes the parts. */
  readonly streamAheadBytes: number
}

/** Is told once how an answer ended, whoever ended it. */
export type StreamEnd = (end: { readonly status: number } | BankUnreachable) => void

type Head = Pick<BankStreamed, 'status' | 'headers' | 'parts'>

/** What has come and was not taken yet. */
type Arriving = {
  readonly parts: Buffer[]
  ahead: number
  total: number
  over: boolean
  failure: BankUnreachable | null
  wake: () => void
}

const OK = 200
/** What comes before it only tells that an answer will come (RFC 9110, 15.2). */
const FIRST_FINAL = 200
const LEFT = 'Nobody reads on'
const NOTHING: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: async function* () {} }

/** Sends a request; resolves when the answer begins, and rejects with a `BankUnreachable` when none does. */
export async function exchangeInParts(
  dispatcher: Dispatcher,
  request: BankRequest,
  limits: StreamLimits,
  ended: StreamEnd,
): Promise<BankStreamed> {
  const head = await new Promise<Head>((resolve, reject) => {
    dispatcher.dispatch(optionsOf(request), receive(limits, { resolve, reject, ended }))
  })
  return head.status === OK
    ? { ...head, body: '' }
    : { ...head, body: await wholeOf(head.parts, limits.responseBytesMax), parts: NOTHING }
}

function receive(
  limits: StreamLimits,
  told: { resolve: (head: Head) => void; reject: (error: BankUnreachable) => void; ended: StreamEnd },
): Dispatcher.DispatchHandler {
  const arriving: Arriving = { parts: [], ahead: 0, total: 0, over: false, failure: null, wake: () => undefined }
  let controller: Dispatcher.DispatchController | undefined
  let status = OK
  const end = (failure: BankUnreachable | null) => {
    if (!arriving.over) {
      clearTimeout(timer)
      Object.assign(arriving, { over: true, failure })
      arriving.wake()
      told.ended(failure ?? { status })
      // Without a failure the answer has begun.
      if (failure !== null) {
        told.reject(failure)
      }
    }
  }
  const late = () =>
    controller === undefined
      ? end(new BankUnreachable('The bank could not be reached in time', false))
      : controller.abort(new Error(TOO_LONG))
  let timer = setTimeout(late, limits.callMilliseconds)
  return {
    onRequestStart: (started) => {
      controller = started
      // What nobody waits for any more is not begun.
      if (arriving.over) {
        started.abort(new Error(TOO_LONG))
      }
    },
    onResponseStart: (started, answered, headers) => {
      if (answered < FIRST_FINAL) {
        return
      }
      if (answered === OK) {
        clearTimeout(timer)
        timer = setTimeout(late, limits.streamMilliseconds)
      }
      status = answered
      told.resolve({ status, headers: singleHeaders(headers), parts: partsOf(arriving, started, limits) })
    },
    onResponseData: (started, part) => take(arriving, started, limits, part),
    onResponseEnd: () => end(null),
    onResponseError: (_controller, error) =>
      end(error.message === LEFT ? null : unreachable(error, controller !== undefined)),
  }
}

function take(arriving: Arriving, controller: Dispatcher.DispatchController, limits: StreamLimits, part: Buffer): void {
  arriving.total += part.length
  arriving.ahead += part.length
  arriving.parts.push(part)
  arriving.wake()
  if (arriving.total > limits.streamBytesMax) {
    controller.abort(new Error(TOO_LARGE))
  } else if (arriving.ahead > limits.streamAheadBytes) {
    controller.pause()
  }
}

/** Whoever leaves before the end has the connection closed. */
async function* partsOf(
  arriving: Arriving,
  controller: Dispatcher.DispatchController,
  { streamAheadBytes }: StreamLimits,
): AsyncGenerator<Uint8Array> {
  try {
    while (true) {
      const part = arriving.parts.shift()
      if (part !== undefined) {
        arriving.ahead -= part.length
        if (controller.paused && arriving.ahead <= streamAheadBytes) {
          controller.resume()
        }
        yield part
      } else if (arriving.over) {
        break
      } else {
        await new Promise<void>((resolve) => {
          arriving.wake = resolve
        })
      }
    }
    if (arriving.failure !== null) {
      throw arriving.failure
    }
  } finally {
    if (!arriving.over) {
      controller.abort(new Error(LEFT))
    }
  }
}

async function wholeOf(parts: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const whole: Uint8Array[] = []
  let bytes = 0
  for await (const part of parts) {
    bytes += part.length
    if (bytes > bytesMax) {
      throw new BankUnreachable(TOO_LARGE, true)
    }
    whole.push(part)
  }
  return Buffer.concat(whole).toString()
}
