/** Sends streamed responses with backpressure, and aborts the connection instead of ending it when they fail. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A caller that reads nothing for so long has gone, or occupies resources of other callers. */
const STALLED_MILLISECONDS_MAX = 60_000

/** Thrown when the caller does not read on; not our fault. */
export class CallerStalled extends Error {
  constructor(milliseconds: number) {
    super(`The caller read nothing for ${milliseconds / 1_000} seconds`)
    this.name = 'CallerStalled'
  }
}

/** A response whose first piece exists; the rest is produced while it is sent. */
export type StreamedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: AsyncIterator<string>
}

/** Waits for the first piece: an error until then is rendered as usual. Ending the iterator also ends `pieces`. */
export async function awaitFirstChunk(pieces: AsyncIterable<string>): Promise<AsyncIterator<string>> {
  const rest = pieces[Symbol.asyncIterator]()
  let first: IteratorResult<string> | undefined = await rest.next()
  return {
    next: async () => {
      const next = first ?? (await rest.next())
      first = undefined
      return next
    },
    return: async () => {
      await rest.return?.()
      return { done: true, value: undefined }
    },
  }
}

/**
 * Sends the response. The connection is reset when a piece fails: in HTTP/1.0 its normal end would pass for the end of
 * the response.
 */
export function sendStreamed(
  reply: FastifyReply,
  { status, headers, pieces }: StreamedAnswer,
  reportBroken: (error: unknown) => void,
  stalledMillisecondsMax: number = STALLED_MILLISECONDS_MAX,
): FastifyReply {
  const broken = (error: unknown) => {
    reportBroken(error)
    reply.raw.socket?.resetAndDestroy()
  }
  const source = sourceOf(pieces, broken, stalledMillisecondsMax)
  if (reply.raw.destroyed) {
    source.destroy()
  }
  return reply.code(status).headers(headers).send(source)
}

/** Requests the next piece when the buffer has capacity, and none once the reader has gone. */
function sourceOf(
  pieces: AsyncIterator<string>,
  broken: (error: unknown) => void,
  stalledMillisecondsMax: number,
): Readable {
  let stalled: NodeJS.Timeout | undefined
  return new Readable({
    async read() {
      clearTimeout(stalled)
      try {
        const { done, value } = await pieces.next()
        if (!this.destroyed && !this.push(done === true ? null : value) && done !== true) {
          stalled = setTimeout(() => {
            const error = new CallerStalled(stalledMillisecondsMax)
            broken(error)
            this.destroy(error)
          }, stalledMillisecondsMax)
        }
      } catch (error) {
        broken(error)
        this.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    },
    // The piece in progress ends by itself and is not awaited.
    destroy(error, done) {
      clearTimeout(stalled)
      pieces.return?.().catch(() => undefined)
      done(error)
    },
  })
}
