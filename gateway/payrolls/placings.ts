/** Keeps what places payrolls in this process behind its answers, so much of each bank at a time, until it is to end. */
import { type BulkheadPolicy, bulkhead } from 'cockatiel'
import type { Context } from '../context.ts'

/** The rest of a bank's places belongs to users who wait. */
const ORDERS_PER_BANK_AT_ONCE = 8

/** Places one payroll; `stopping` is aborted when nothing new may begin. */
type Place = (stopping: AbortSignal) => Promise<void>

/** What is under way in a process. */
export type Placings = {
  /** Begins unless this payroll is being placed here already. */
  begin(payrollId: string, place: Place): void
  /** Carries something out when the bank has a place for it. */
  within<Result>(bic: string, ask: () => Promise<Result>): Promise<Result>
  /** Lets what is under way come to an end, and begins nothing more. */
  end(): Promise<void>
}

const placingsByContext = new WeakMap<Context, Placings>()

/** Those of the process that a context belongs to. */
export function placingsOf(context: Context): Placings {
  const placings = placingsByContext.get(context) ?? openPlacings(context)
  placingsByContext.set(context, placings)
  return placings
}

function openPlacings({ log }: Pick<Context, 'log'>): Placings {
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  const places = new Map<string, BulkheadPolicy>()
  return {
    begin: (payrollId, place) => {
      if (stopping.signal.aborted || underWay.has(payrollId)) {
        return
      }
      const ended = place(stopping.signal)
        .catch((error: unknown) => log.error({ payrollId, error }, 'placing a payroll broke off'))
        .finally(() => underWay.delete(payrollId))
      underWay.set(payrollId, ended)
    },
    within: async (bic, ask) => {
      const atBank = places.get(bic) ?? bulkhead(ORDERS_PER_BANK_AT_ONCE, Number.POSITIVE_INFINITY)
      places.set(bic, atBank)
      return await atBank.execute(ask)
    },
    end: async () => {
      stopping.abort()
      await Promise.all(underWay.values())
    },
  }
}
