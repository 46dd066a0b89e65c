/** Lets so many answers of each bank be read at once, from when they are asked for until they have ended. */
import { type BulkheadPolicy, bulkhead } from 'cockatiel'
import { type CallLimits, turnedAway, withinTime } from './transport/bank-call-limiter.ts'

/** How many answers may be read, and how many may wait for that and for how long. */
export type StreamPlacesLimits = Pick<CallLimits, 'queuePerBankMax' | 'queueMilliseconds'> & {
  readonly streamsPerBankMax: number
}

/** Gives places, each with the way to leave it, once or more often. */
export type StreamPlaces = {
  /** Throws `BankUnreachable` with nothing sent when there is none in time. */
  take(bic: string): Promise<() => void>
}

/** Opens places for each bank when it is first called. */
export function openStreamPlaces(limits: StreamPlacesLimits): StreamPlaces {
  const placesByBic = new Map<string, BulkheadPolicy>()
  return {
    take: async (bic) => {
      const places = placesByBic.get(bic) ?? bulkhead(limits.streamsPerBankMax, limits.queuePerBankMax)
      placesByBic.set(bic, places)
      const left = Promise.withResolvers<void>()
      try {
        return await withinTime(limits, (waiting, begun) => {
          const taken = Promise.withResolvers<() => void>()
          const held = places.execute(() => {
            begun()
            taken.resolve(left.resolve)
            return left.promise
          }, waiting)
          held.catch(taken.reject)
          return taken.promise
        })
      } catch (error) {
        throw turnedAway(error)
      }
    },
  }
}
