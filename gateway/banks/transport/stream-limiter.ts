/** Limits the concurrent streams of each bank, from request to end. */
import { type BulkheadPolicy, bulkhead } from 'cockatiel'
import { type BankCallLimiterSettings, toBankUnreachable, withQueueTimeout } from './bank-call-limiter.ts'

/** Limits of concurrent and queued streams, and the queue timeout. */
export type StreamLimiterSettings = Pick<BankCallLimiterSettings, 'queuePerBankMax' | 'queueMilliseconds'> & {
  readonly streamsPerBankMax: number
}

/** Acquires slots. */
export type StreamLimiter = {
  /** Returns the idempotent release of a slot. Throws `BankUnreachable` with `sent` false on timeout. */
  take(bic: string): Promise<() => void>
}

/** Creates the slots of each bank at its first call. */
export function createStreamLimiter(limits: StreamLimiterSettings): StreamLimiter {
  const slotsByBic = new Map<string, BulkheadPolicy>()
  return {
    take: async (bic) => {
      const slots = slotsByBic.get(bic) ?? bulkhead(limits.streamsPerBankMax, limits.queuePerBankMax)
      slotsByBic.set(bic, slots)
      const released = Promise.withResolvers<void>()
      try {
        return await withQueueTimeout(limits, (waiting, begun) => {
          const acquired = Promise.withResolvers<() => void>()
          const execution = slots.execute(() => {
            begun()
            acquired.resolve(released.resolve)
            return released.promise
          }, waiting)
          execution.catch(acquired.reject)
          return acquired.promise
        })
      } catch (error) {
        throw toBankUnreachable(error)
      }
    },
  }
}
