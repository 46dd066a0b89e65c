/** Searches for what a user entered: exact ids first, and only where nothing has it as its id, payments. */
import type { Context } from '../../gateway/context.ts'
import { type PaymentFilter, type PaymentPage, searchPayments } from '../../gateway/orders/views/payment-search.ts'
import { isPermitted } from '../access/console-role.ts'
import { partnerFilterOf, type Viewer } from '../access/viewer.ts'
import type { SearchTerms } from '../payments/search-terms.ts'
import { findByBankRequest, findById, type IdHit } from './find-by-id.ts'

/** What payments were searched by, the filters of their list that find the same, and the newest that match. */
export type PaymentMatches = PaymentPage & {
  readonly by: 'amount' | 'account' | 'name'
  readonly filters: Readonly<Record<string, string>>
}

export type Matches = { readonly ids: readonly IdHit[]; readonly payments: readonly PaymentMatches[] }

const PAYMENTS_SHOWN = 10

export async function findMatches(context: Context, viewer: Viewer, terms: SearchTerms): Promise<Matches> {
  const partnerId = partnerFilterOf(viewer)
  const permits = (permission: Parameters<typeof isPermitted>[1]) => isPermitted(viewer.session.roles, permission)
  const search = { partnerId, permits, text: terms.text, id: terms.id }
  const { database } = context
  const ids = [...(await findById(database, search)), ...(await findByBankRequest(context, search))]
  if (ids.length > 0 || !permits('payments.read')) {
    return { ids, payments: [] }
  }
  const payments: PaymentMatches[] = []
  for (const { filter, ...searched } of searchesOf(terms)) {
    const page = await searchPayments(database, partnerId, filter, PAYMENTS_SHOWN)
    payments.push({ ...searched, ...page })
  }
  return { ids, payments }
}

type PaymentSearch = Pick<PaymentMatches, 'by' | 'filters'> & { readonly filter: PaymentFilter }

/** Each is one limited scan (decision 0107). */
export function searchesOf({ text, amount, accountEnding, name }: SearchTerms): readonly PaymentSearch[] {
  return [
    ...(amount === undefined
      ? []
      : [
          {
            by: 'amount' as const,
            filters: {
              amount: amount.from === amount.to ? amount.from : `${amount.from}-${amount.to}`,
              ...(amount.currency === undefined ? {} : { currency: amount.currency }),
            },
            filter: { amount, currency: amount.currency },
          },
        ]),
    ...(accountEnding === undefined
      ? []
      : [{ by: 'account' as const, filters: { account: text }, filter: { accountEnding } }]),
    ...(name === undefined ? [] : [{ by: 'name' as const, filters: { name: text }, filter: { creditorName: name } }]),
  ]
}
