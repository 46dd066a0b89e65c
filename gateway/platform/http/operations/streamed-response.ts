/** Sends answers that are written piece by piece: as fast as they are read, and broken off rather than ended when they fail. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Whoever takes nothing for so long is gone, or holds what others could use. */
const STALLED_MILLISECONDS_MAX = 60_000

/** Thrown, and no fault of ours, when whoever asked does not read on. */
export class CallerStalled extends Error {
  constructor(milliseconds: number) {
    super(`The caller took nothing for ${milliseconds / 1_000} seconds`)
    this.name = 'CallerStalled'
  }
}

/** An answer whose first piece is there; the rest is made while it is sent. */
export type StreamedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: AsyncIterator<string>
}

/** Waits for the first piece: whatever fails until then is refused as usual. The iterator passes the end on to `pieces`. */
export async function begun(pieces: AsyncIterable<string>): Promise<AsyncIterator<string>> {
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

/** Sends it. A connection is reset when a piece fails: over HTTP/1.0 its mere end would pass for the end of the answer. */
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

/** Asks for a piece when there is room for one, and for none once nobody reads. */
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
    // What is under way at this moment ends by itself; nobody has to wait for that.
    destroy(error, done) {
      clearTimeout(stalled)
      pieces.return?.().catch(() => undefined)
      done(error)
    },
  })
}
