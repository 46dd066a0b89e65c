/** Encrypts the payout terms of a deal, and decrypts them when the payout is ordered. */
import type { Context } from '../../context.ts'
import { type DealKey, dealPurpose, type PayoutTerms } from '../store/deal.ts'
import { readSealedTerms } from '../store/deal-store.ts'

/** The encrypted JSON: dates are ISO 8601 strings. */
type StoredTerms = Omit<PayoutTerms, 'paymentDate'> & { readonly paymentDate: string | null }

/** The encrypted terms, bound to the deal by the encryption purpose. */
export function sealPayoutTerms({ seal }: Context, deal: DealKey, terms: PayoutTerms): Buffer {
  const stored: StoredTerms = { ...terms, paymentDate: terms.paymentDate?.toString() ?? null }
  return seal.seal(JSON.stringify(stored), dealPurpose(deal))
}

/** The terms of a deal. Throws when the deal does not exist. */
export async function openPayoutTerms(context: Context, deal: DealKey): Promise<PayoutTerms> {
  const sealed = await readSealedTerms(context.database, deal)
  if (sealed === undefined) {
    throw new Error(`Deal ${deal.id} does not exist`)
  }
  const { paymentDate, ...stored } = JSON.parse(context.seal.open(sealed, dealPurpose(deal))) as StoredTerms
  return { ...stored, paymentDate: paymentDate === null ? null : Temporal.PlainDate.from(paymentDate) }
}
