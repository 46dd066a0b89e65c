/** What a consent is: a user's leave for a partner to act for a company at a bank. */
import type { ConsentStatus, ConsentStatusReason } from '../../contract/consents.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'

/** How long the user has to accept. */
export const AUTHORISE_WITHIN = { minutes: 15 }

/** How often a bank is asked whether a consent is still in force there; nobody tells us when it is not. */
const LOOK_EVERY = { hours: 24 }

/** How long before its end partners and operators are told, so that it can be renewed without a gap. */
export const EXPIRING_WITHIN = { hours: 7 * 24 }

/** A consent with its secrets opened. */
export type Consent = {
  readonly partnerId: string
  readonly id: string
  readonly companyId: string
  readonly bic: string
  readonly bankBranch: string | null
  readonly countryCode: string
  readonly organisationNumber: string
  readonly status: ConsentStatus
  readonly statusReason: ConsentStatusReason | null
  readonly userId: string | null
  readonly userIdMasked: string | null
  /** The consent's id at the bank; null while its user has not signed in there. */
  readonly bankConsentId: string | null
  readonly callbackUrl: string
  readonly validUntil: Temporal.Instant
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
}

/** A partner that shows a consent. */
export type ConsentCaller = PartnerCaller & { readonly consent: Consent; readonly psu: PsuSession | null }

/** Which statuses may follow which; a consent that has ended never comes back. */
export const consentMayBecome: Readonly<Record<ConsentStatus, readonly ConsentStatus[]>> = {
  AUTHORIZATION_REQUIRED: ['ACCEPTED', 'REJECTED', 'CANCELLED'],
  ACCEPTED: ['EXPIRED', 'REVOKED'],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  REVOKED: [],
}

/** When the bank is asked again. */
export function nextLook(at: Temporal.Instant): Temporal.Instant {
  return at.add(LOOK_EVERY)
}

/** Whether it can be used: one whose time has passed is over, though nobody may have noted that yet. */
export function isInForce(
  { status, validUntil }: Pick<Consent, 'status' | 'validUntil'>,
  now: Temporal.Instant,
): boolean {
  return status === 'ACCEPTED' && Temporal.Instant.compare(validUntil, now) > 0
}

/** What its partner should know of a consent in force: that it ends soon, since when that is so. */
export function noticesOf(
  consent: Pick<Consent, 'status' | 'validUntil' | 'updatedAt'>,
  now: Temporal.Instant,
): readonly { readonly code: 'CONSENT_EXPIRING'; readonly since: Temporal.Instant }[] {
  const { validUntil, updatedAt } = consent
  const within = validUntil.subtract(EXPIRING_WITHIN)
  const since = Temporal.Instant.compare(within, updatedAt) > 0 ? within : updatedAt
  const isExpiring = isInForce(consent, now) && Temporal.Instant.compare(since, now) <= 0
  return isExpiring ? [{ code: 'CONSENT_EXPIRING', since }] : []
}

/** Whether its user did not accept it: nothing was ever done with it. */
export function cameToNothing({ status }: Pick<Consent, 'status'>): boolean {
  return status === 'REJECTED' || status === 'CANCELLED'
}

/** Whether nothing can be done with it any more. */
export function hasEnded({ status }: Pick<Consent, 'status'>): boolean {
  return consentMayBecome[status].length === 0
}

/** Everything of a user's id but its last two characters is hidden. */
export function maskUserId(userId: string): string {
  return userId.slice(-2).padStart(userId.length, '•')
}

/** The bank's id of a consent that it holds. */
export function heldConsentId({ bankConsentId, id }: Consent): string {
  if (bankConsentId === null) {
    throw new Error(`The bank was never asked for the consent ${id}`)
  }
  return bankConsentId
}

/** What a sealed id of a consent is bound to. */
export function consentPurpose(what: 'user' | 'bank consent', { partnerId, id }: Pick<Consent, 'partnerId' | 'id'>) {
  return `consent ${what} ${partnerId} ${id}`
}
