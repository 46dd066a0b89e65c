/** Finds the consent of a request, and rejects the request with the consent's status if it cannot be used. */
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import { coalesceBySource } from '../platform/database/coalesce.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import { formatTimestamp } from '../platform/time-format.ts'
import { type Consent, isInForce } from './consent.ts'
import { findConsents } from './consent-store.ts'

/** The consent of a `consent-id` header. Another partner's consent is treated as nonexistent. Throws `INVALID_CONSENT`. */
export async function requireConsent(
  context: Context,
  { partnerId }: PartnerCaller,
  consentId: string,
  need: 'accepted' | 'any',
): Promise<Consent> {
  if (!isId(consentId)) {
    throw apiError('INVALID_CONSENT', 'The header consent-id must be the id of a consent (a UUID)')
  }
  const consent = await findRequestedConsent(context, { partnerId, id: consentId.toLowerCase() })
  if (consent === null) {
    throw apiError('INVALID_CONSENT', 'No consent has the id in the header consent-id')
  }
  if (need === 'accepted' && !isInForce(consent, context.clock.now())) {
    throw apiError('INVALID_CONSENT', stateOf(consent))
  }
  return consent
}

/** Concurrent requests find their consents with one statement. */
const findRequestedConsent = coalesceBySource({
  keyOf: ({ id }: Pick<Consent, 'partnerId' | 'id'>) => id,
  run: findConsents,
})

/** The message for an unusable consent; it may have expired a moment ago. */
function stateOf({ status, statusReason, updatedAt, validUntil }: Consent): string {
  if (status === 'ACCEPTED') {
    return `The consent has been EXPIRED since ${formatTimestamp(validUntil)}`
  }
  return `The consent has been ${status}${statusReason === null ? '' : ` (${statusReason})`} since ${formatTimestamp(updatedAt)}`
}
