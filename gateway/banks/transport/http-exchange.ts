/** Sends one HTTP request, reads its complete answer, and reports on failure whether the request may have been sent. */
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'

type ExchangeLimits = { readonly callMilliseconds: number; readonly responseBytesMax: number }

/**
 * Is called once when an answer has ended for any reason; that of a stream has no body. `endedAt`: at which wall time in
 * milliseconds, where that is not now.
 */
export type EndOfExchange = (
  end: BankResponse | { readonly status: number } | BankUnreachable,
  endedAt?: number | undefined,
) => void

export const ANSWER_TIMEOUT_MESSAGE = 'The answer timed out'
const INTERRUPTED_MESSAGE = 'The call was interrupted'
export const ANSWER_TOO_LARGE_MESSAGE = 'The answer exceeds the size limit'

/**
 * Resolves with the answer, whatever its status. Rejects with `BankUnreachable` without a complete answer. A request
 * counts as sent from the moment that undici passes it to a connection. Rejected connections, unknown names and failed
 * handshakes end before that: only then is it certain that the bank received nothing.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: BankRequest,
  { callMilliseconds, responseBytesMax }: ExchangeLimits,
  ended: EndOfExchange = () => undefined,
): Promise<BankResponse> {
  const { promise, resolve: finish } = Promise.withResolvers<Buffer | BankUnreachable>()
  const parts: Buffer[] = []
  let [status, bytes] = [0, 0]
  let headers: BankResponse['headers'] = {}
  let controller: Dispatcher.DispatchController | undefined
  let isStopped = false
  const stop = (unsent: string, sent: string) => {
    isStopped = true
    if (controller === undefined) {
      finish(new BankUnreachable(unsent, false))
    } else {
      controller.abort(new Error(sent))
    }
  }
  const interrupt = () => stop(INTERRUPTED_MESSAGE, INTERRUPTED_MESSAGE)
  const timer = setTimeout(stop, callMilliseconds, 'The bank could not be reached in time', ANSWER_TIMEOUT_MESSAGE)
  request.signal?.addEventListener('abort', interrupt, { once: true })
  dispatcher.dispatch(toDispatchOptions(request), {
    onRequestStart: (started) => {
      controller = started
      // The caller has already got the timeout: undici writes nothing of a request that is aborted here.
      if (isStopped) {
        started.abort(new Error(ANSWER_TIMEOUT_MESSAGE))
      }
    },
    onResponseStart: (_controller, answered, received) => {
      status = answered
      headers = flattenHeaders(received)
    },
    onResponseData: (started, part) => {
      bytes += part.length
      if (bytes > responseBytesMax) {
        started.abort(new Error(ANSWER_TOO_LARGE_MESSAGE))
      } else {
        parts.push(part)
      }
    },
    onResponseEnd: () => {
      const body = Buffer.concat(parts)
      const coding = headers['content-encoding']
      finish(coding === undefined || body.length === 0 ? body : readDecompressed(body, coding, responseBytesMax))
    },
    onResponseError: (_controller, error) => finish(unreachableError(error, controller !== undefined)),
  })
  const received = await promise
  clearTimeout(timer)
  request.signal?.removeEventListener('abort', interrupt)
  if (received instanceof BankUnreachable) {
    ended(received)
    throw received
  }
  const answer = { status, headers, body: decoderOf(received).decode(received), bytes: received }
  ended(answer)
  return answer
}

/** Without this header a server may compress its answers (RFC 9110, 12.5.3); some do so nevertheless. */
const UNCOMPRESSED = { 'accept-encoding': 'identity' }

/** A request in undici's format. */
export function toDispatchOptions({ url, method, headers, body }: BankRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: `${pathname}${search}`, method, headers: { ...UNCOMPRESSED, ...headers }, body: body ?? null }
}

/** The error for an incomplete answer; its message leaves out the address, which the log has already. */
export function unreachableError(error: Error, sent: boolean): BankUnreachable {
  return new BankUnreachable(reasonOf(error, sent), sent, error)
}

function reasonOf(error: Error, sent: boolean): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message
  return sent ? `The bank gave no complete answer (${code})` : `The bank could not be reached (${code})`
}

/** Headers by lower-case name; repeated ones are joined. */
export function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

async function readDecompressed(body: Buffer, coding: string, bytesMax: number): Promise<Buffer | BankUnreachable> {
  return await readWhole(decompress([body], coding), bytesMax).catch((error: BankUnreachable) => error)
}

const decompressorByCoding: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** The parts of a content with this coding; unchanged for any other. Throws `BankUnreachable` where they are damaged. */
export async function* decompress(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  coding: string,
): AsyncGenerator<Uint8Array> {
  const decompressor = decompressorByCoding.get(coding.toLowerCase())?.()
  try {
    yield* decompressor === undefined ? parts : pipeline(parts, decompressor, () => undefined)
  } catch (error) {
    throw error instanceof BankUnreachable
      ? error
      : new BankUnreachable('The answer cannot be decompressed', true, error)
  }
}

/** Throws `BankUnreachable` for more bytes. */
export async function readWhole(parts: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const part of parts) {
    bytes += part.length
    if (bytes > bytesMax) {
      throw new BankUnreachable(ANSWER_TOO_LARGE_MESSAGE, true)
    }
    chunks.push(part)
  }
  return Buffer.concat(chunks)
}

/** The decoder of a body or a file by its start: UTF-8, or the UTF-16 that its byte order mark names, which is no part of it. */
export function decoderOf([first, second]: Uint8Array): TextDecoder {
  if (first === 0xff && second === 0xfe) {
    return new TextDecoder('utf-16le')
  }
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8')
}
