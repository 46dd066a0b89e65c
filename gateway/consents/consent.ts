/** Defines the consent: a user's permission for a partner to act for a company at a bank. */

import type { ConsentStatus, ConsentStatusReason } from '../../contract/consents.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { laterOf } from '../platform/clock.ts'
import type { PsuSession } from '../platform/http/operations/served-operation.ts'

/** How long the user has to accept. */
export const AUTHORISATION_TIME_MAX = { minutes: 15 }

/** How often a consent in force is read at its bank, which does not notify us when it ends. */
const REFRESH_EVERY = { hours: 24 }

/** How long before expiry partners and operators are notified, so that it can be renewed without a gap. */
export const EXPIRY_NOTICE_PERIOD = { hours: 7 * 24 }

/** A consent with its secrets decrypted. */
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
  /** The consent's id at the bank; null until its user has signed in there. */
  readonly bankConsentId: string | null
  readonly callbackUrl: string
  readonly validUntil: Temporal.Instant
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  /** How many accounts the bank returned last that belong to another owner by its name. */
  readonly excludedAccounts: number
}

/** A partner that uses a consent. */
export type ConsentCaller = PartnerCaller & { readonly consent: Consent; readonly psu: PsuSession | null }

/** Who acts under a consent, in the format of the audit log: a partner's client, or a user of the console. */
export type ConsentActor = Pick<ConsentCaller, 'partnerId' | 'consent' | 'psu'> & { readonly actor: string }

/** A partner that uses a consent, as the actor. */
export function consentActorOf({ partnerId, clientId, consent, psu }: ConsentCaller): ConsentActor {
  return { partnerId, consent, psu, actor: `client ${clientId}` }
}

/** The allowed transitions; a consent that has ended never becomes active again. */
export const consentTransitions: Readonly<Record<ConsentStatus, readonly ConsentStatus[]>> = {
  AUTHORIZATION_REQUIRED: ['ACCEPTED', 'REJECTED', 'CANCELLED'],
  ACCEPTED: ['EXPIRED', 'REVOKED'],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  REVOKED: [],
}

/** When the consent is read at its bank next. */
export function nextConsentRefresh(at: Temporal.Instant): Temporal.Instant {
  return at.add(REFRESH_EVERY)
}

/** Whether it can be used: one past its validity cannot, even if the job has not recorded the expiry yet. */
export function isInForce(
  { status, validUntil }: Pick<Consent, 'status' | 'validUntil'>,
  now: Temporal.Instant,
): boolean {
  return status === 'ACCEPTED' && Temporal.Instant.compare(validUntil, now) > 0
}

/** The notices of a consent in force: that it expires soon, and since when. */
export function noticesOf(
  consent: Pick<Consent, 'status' | 'validUntil' | 'updatedAt'>,
  now: Temporal.Instant,
): readonly { readonly code: 'CONSENT_EXPIRING'; readonly since: Temporal.Instant }[] {
  const { updatedAt } = consent
  const within = expiryNoticeAt(consent)
  const since = laterOf(within, updatedAt)
  const isExpiring = isInForce(consent, now) && Temporal.Instant.compare(since, now) <= 0
  return isExpiring ? [{ code: 'CONSENT_EXPIRING', since }] : []
}

/** When its expiry is notified; one that is valid for a shorter time is notified at once. */
export function expiryNoticeAt({ validUntil }: Pick<Consent, 'validUntil'>): Temporal.Instant {
  return validUntil.subtract(EXPIRY_NOTICE_PERIOD)
}

/** Whether its user did not accept it, so that it was never used. */
export function wasNeverAccepted({ status }: Pick<Consent, 'status'>): boolean {
  return status === 'REJECTED' || status === 'CANCELLED'
}

/** Whether its status is final. */
export function hasEnded({ status }: Pick<Consent, 'status'>): boolean {
  return consentTransitions[status].length === 0
}

/** Whether two consents are of one user of a bank. Users whom the bank does not identify are known by their consent alone. */
export function isSameUser(
  one: Pick<Consent, 'id' | 'bic' | 'userId'>,
  other: Pick<Consent, 'id' | 'bic' | 'userId'>,
): boolean {
  return one.id === other.id || (one.userId !== null && one.userId === other.userId && one.bic === other.bic)
}

/** Masks all but the last two characters of a user id. */
export function maskUserId(userId: string): string {
  return userId.slice(-2).padStart(userId.length, '•')
}

/** The bank's id of a consent. Throws if the consent was not requested there. */
export function requireBankConsentId({ bankConsentId, id }: Consent): string {
  if (bankConsentId === null) {
    throw new Error(`The consent ${id} was never requested at the bank`)
  }
  return bankConsentId
}

/** The purpose that a sealed id of a consent is bound to. */
export function consentPurpose(what: 'user' | 'bank consent', { partnerId, id }: Pick<Consent, 'partnerId' | 'id'>) {
  return `consent ${what} ${partnerId} ${id}`
}
