/** Finds conversions that the FX provider has booked for us and whose deal the database does not hold. */
import type { Context } from '../../context.ts'
import { isId } from '../../platform/ids.ts'
import type { BookingWindow, Conversion } from '../providers/conversion.ts'
import { FxProviderError } from '../providers/fx-provider-error.ts'
import { listKnownDealIds } from '../store/deal-store.ts'

/** A conversion of ours without its deal; the request id is the id of the deal. */
export type UnrecordedDeal = { readonly dealId: string; readonly conversion: Conversion }

/** What was compared. `error`: the provider could not be read to the end, and why. */
export type DealComparison = {
  readonly provider: string
  readonly conversions: number
  readonly unrecorded: readonly UnrecordedDeal[]
  readonly error: string | null
}

/**
 * Every booking of ours carries the id of its deal: conversions without one were booked by hand at the provider, and are
 * left out, as are cancelled ones, which cost nothing any more. Undefined where no provider is configured.
 */
export async function findUnrecordedDeals(
  { fx, database }: Context,
  window: BookingWindow,
): Promise<DealComparison | undefined> {
  if (fx === null) {
    return undefined
  }
  const unrecorded: UnrecordedDeal[] = []
  let conversions = 0
  const compared = (error: string | null) => ({ provider: fx.name, conversions, unrecorded, error })
  try {
    for await (const page of fx.conversionsBooked(window)) {
      conversions += page.length
      const ours = page.flatMap((conversion) => {
        const { requestId, state } = conversion
        return requestId === null || !isId(requestId) || state === 'cancelled'
          ? []
          : [{ dealId: requestId, conversion }]
      })
      const ids = ours.map(({ dealId }) => dealId)
      const known = ids.length === 0 ? new Set() : await listKnownDealIds(database, ids)
      unrecorded.push(...ours.filter(({ dealId }) => !known.has(dealId)))
    }
    return compared(null)
  } catch (error) {
    if (error instanceof FxProviderError) {
      return compared(`${error.kind}: ${error.message}`)
    }
    throw error
  }
}
