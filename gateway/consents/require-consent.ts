/** Finds the consent that a partner shows, and refuses it with its state when it cannot be used. */
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { coalesce } from '../platform/database/coalesce.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import { type Consent, isInForce } from './consent.ts'
import { findConsents } from './consent-store.ts'

/** Reads a `consent-id` header. Another partner's consent is answered as if it did not exist. */
export type RequireConsent = (caller: PartnerCaller, consentId: string, need: 'accepted' | 'any') => Promise<Consent>

/** Makes the check of this process. */
export function consentRequirer(context: Context): RequireConsent {
  const find = coalesce<Pick<Consent, 'partnerId' | 'id'>, { found: Consent | null }>({
    keyOf: ({ id }) => id,
    run: async (keys) => (await findConsents(context, keys)).map((found) => ({ found })),
  })
  return async ({ partnerId }, consentId, need) => {
    if (!isId(consentId)) {
      throw refuse('INVALID_CONSENT', 'The header consent-id must hold the id of a consent, a UUID')
    }
    const { found: consent } = await find({ partnerId, id: consentId.toLowerCase() })
    if (consent === null) {
      throw refuse('INVALID_CONSENT', 'There is no consent with this id')
    }
    if (need === 'accepted' && !isInForce(consent, context.clock.now())) {
      throw refuse('INVALID_CONSENT', stateOf(consent))
    }
    return consent
  }
}

/** Of one that cannot be used; its time may have passed a moment ago. */
function stateOf({ status, statusReason, updatedAt, validUntil }: Consent): string {
  if (status === 'ACCEPTED') {
    return `The consent is EXPIRED since ${printTimestamp(validUntil)}`
  }
  return `The consent is ${status}${statusReason === null ? '' : ` (${statusReason})`} since ${printTimestamp(updatedAt)}`
}
