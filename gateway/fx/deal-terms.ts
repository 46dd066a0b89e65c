/** Seals what a deal pays out, and to whom, and opens it again when the payout is ordered. */
import type { Context } from '../context.ts'
import { type DealKey, dealPurpose, type PayoutTerms } from './deals/deal.ts'
import { readTerms } from './deals/deal-store.ts'

/** As it is kept: a day is a text. */
type Kept = Omit<PayoutTerms, 'paymentDate'> & { readonly paymentDate: string | null }

/** What is kept of the terms. */
export function sealTerms({ seal }: Pick<Context, 'seal'>, deal: DealKey, terms: PayoutTerms): Buffer {
  const kept: Kept = { ...terms, paymentDate: terms.paymentDate?.toString() ?? null }
  return seal.seal(JSON.stringify(kept), dealPurpose(deal))
}

/** The terms of a deal. */
export async function openTerms(context: Pick<Context, 'seal' | 'database'>, deal: DealKey): Promise<PayoutTerms> {
  const sealed = await readTerms(context.database, deal)
  if (sealed === undefined) {
    throw new Error(`There is no deal ${deal.id}`)
  }
  const { paymentDate, ...kept } = JSON.parse(context.seal.open(sealed, dealPurpose(deal))) as Kept
  return { ...kept, paymentDate: paymentDate === null ? null : Temporal.PlainDate.from(paymentDate) }
}
