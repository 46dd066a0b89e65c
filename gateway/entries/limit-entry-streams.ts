/** Limits how many lists of entries are read concurrently, and for how long. */
import { monotonicMilliseconds } from '../platform/clock.ts'
import { apiError } from '../platform/http/errors/api-error.ts'

/** Limits of this process and of each partner. */
const ENTRY_STREAM_LIMITS = {
  perPartnerMax: 4,
  perProcessMax: 64,
  /** For a complete answer; a year with many entries takes a few minutes. */
  millisecondsMax: 30 * 60_000,
} as const

const RETRY_AFTER_SECONDS = 5

export type EntryStreamLimits = { readonly [name in keyof typeof ENTRY_STREAM_LIMITS]: number }

/** Passes on the chunks of an answer, and holds a slot from the first chunk to the last. */
type EntryStreamLimiter = (partnerId: string, chunks: AsyncIterable<string>) => AsyncGenerator<string>

/**
 * Creates the limiter of this process. An answer throws `too-many-requests` before its first chunk when no slot is
 * free, and ends with `unavailable` when it takes too long.
 */
export function entryStreamLimiter(limits: EntryStreamLimits = ENTRY_STREAM_LIMITS): EntryStreamLimiter {
  const openByPartner = new Map<string, number>()
  let open = 0
  const add = (partnerId: string, change: 1 | -1) => {
    const count = (openByPartner.get(partnerId) ?? 0) + change
    open += change
    if (count === 0) {
      openByPartner.delete(partnerId)
    } else {
      openByPartner.set(partnerId, count)
    }
  }
  return async function* (partnerId, chunks) {
    requireCapacity(limits, { ofPartner: openByPartner.get(partnerId) ?? 0, open })
    add(partnerId, 1)
    try {
      const endsAt = monotonicMilliseconds() + limits.millisecondsMax
      for await (const chunk of chunks) {
        if (monotonicMilliseconds() > endsAt) {
          throw apiError(
            'unavailable',
            `Reading the entries took longer than ${limits.millisecondsMax / 60_000} minutes`,
          )
        }
        yield chunk
      }
    } finally {
      add(partnerId, -1)
    }
  }
}

function requireCapacity(
  { perPartnerMax, perProcessMax }: EntryStreamLimits,
  { ofPartner, open }: { readonly ofPartner: number; readonly open: number },
): void {
  if (ofPartner >= perPartnerMax) {
    const message = `You are reading ${perPartnerMax} lists of entries, and no more at once; wait until one has ended`
    throw apiError('too-many-requests', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  if (open >= perProcessMax) {
    const message = 'Too many lists of entries are being read; retry in a moment'
    throw apiError('too-many-requests', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}
