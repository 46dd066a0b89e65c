/** Bounds how many lists of entries are read at the same time, and for how long each: every one holds a bank and memory. */
import { steadyMilliseconds } from '../platform/clock.ts'
import { refuse } from '../platform/http/errors/api-error.ts'

/** What this process reads at once, and whoever asks for it. */
const READINGS = {
  perPartnerMax: 4,
  perProcessMax: 64,
  /** A whole answer; the longest year that a bank tells takes a few minutes. */
  millisecondsMax: 30 * 60_000,
} as const

const AGAIN_SECONDS = 5

export type ReadingLimits = { readonly [name in keyof typeof READINGS]: number }

/** Hands the pieces of a partner's answer on; a place is held from the first that is asked for until there are no more. */
type BoundReading = (partnerId: string, pieces: AsyncIterable<string>) => AsyncGenerator<string>

/**
 * Makes the bound of this process. An answer throws `too-many-requests` before its first piece when there is no place for
 * it, and breaks off with `unavailable` when it takes too long.
 */
export function readingBound(limits: ReadingLimits = READINGS): BoundReading {
  const openOf = new Map<string, number>()
  let open = 0
  const add = (partnerId: string, change: 1 | -1) => {
    const left = (openOf.get(partnerId) ?? 0) + change
    open += change
    if (left === 0) {
      openOf.delete(partnerId)
    } else {
      openOf.set(partnerId, left)
    }
  }
  return async function* (partnerId, pieces) {
    requirePlace(limits, { ofPartner: openOf.get(partnerId) ?? 0, open })
    add(partnerId, 1)
    try {
      const endsAt = steadyMilliseconds() + limits.millisecondsMax
      for await (const piece of pieces) {
        if (steadyMilliseconds() > endsAt) {
          throw refuse('unavailable', `The entries were not read in ${limits.millisecondsMax / 60_000} minutes`)
        }
        yield piece
      }
    } finally {
      add(partnerId, -1)
    }
  }
}

function requirePlace(
  { perPartnerMax, perProcessMax }: ReadingLimits,
  { ofPartner, open }: { readonly ofPartner: number; readonly open: number },
): void {
  if (ofPartner >= perPartnerMax) {
    const message = `You are reading ${perPartnerMax} lists of entries at the moment, which is as many as there may be`
    throw refuse('too-many-requests', message, { retryAfterSeconds: AGAIN_SECONDS })
  }
  if (open >= perProcessMax) {
    const message = 'Too many lists of entries are being read at the moment'
    throw refuse('too-many-requests', message, { retryAfterSeconds: AGAIN_SECONDS })
  }
}
