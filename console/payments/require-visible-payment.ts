/** Finds a payment that the user may see. */
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { Viewer } from '../layout/viewer.ts'
import { findPartnerOfPayment } from './payment-list-store.ts'
import type { PaymentKey } from './payment-timeline-store.ts'

/** Throws `not-found` for an unknown id and for a payment of a foreign partner, which look the same. */
export async function requireVisiblePayment(
  { database }: Context,
  viewer: Pick<Viewer, 'session'>,
  id: string,
): Promise<{ readonly key: PaymentKey; readonly partnerName: string }> {
  const partner = isId(id) ? await findPartnerOfPayment(database, partnerFilterOf(viewer), id) : undefined
  if (partner === undefined) {
    throw apiError('not-found', 'There is no payment with this id')
  }
  return { key: { partnerId: partner.id, id: id.toLowerCase() }, partnerName: partner.name }
}
