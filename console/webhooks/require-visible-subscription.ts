/** Finds a subscription that the user may see. */
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { findPartnerOfSubscription } from './subscription-store.ts'

/** The key of the subscription in the path, and its partner's name. */
export type VisibleSubscription = {
  readonly key: { readonly partnerId: string; readonly id: string }
  readonly partnerName: string
}

/** Throws `not-found` for an unknown id and for one of a foreign partner, which look the same. */
export async function requireVisibleSubscription(
  { database }: Context,
  { viewer, params: { subscriptionId: id = '' } }: Pick<ConsoleRequest, 'viewer' | 'params'>,
): Promise<VisibleSubscription> {
  const partner = isId(id) ? await findPartnerOfSubscription(database, partnerFilterOf(viewer), id) : undefined
  if (partner === undefined) {
    throw apiError('not-found', 'There is no webhook subscription with this id')
  }
  return { key: { partnerId: partner.id, id }, partnerName: partner.name }
}
