/** Finds consents, in force or of any status, for the modules that act at their banks. */
import { requirePartner } from '../auth/list-partners.ts'
import type { ScaSessionParties } from '../authorisations/signature-summary.ts'
import { findRequestedCompany } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import { type Consent, isSameUser } from './consent.ts'
import { findConsent, listConsentsInForce, listConsentsLike } from './consent-store.ts'

type Key = { readonly partnerId: string; readonly consentId: string }

/** The consent, whatever its status; undefined when there is none. */
export async function consentOf(context: Context, { partnerId, consentId }: Key): Promise<Consent | undefined> {
  return await findConsent(context, { partnerId, id: consentId })
}

/**
 * The consent while it is in force, then the same user's newest one that is: operations continue under the renewal. The
 * ended consent if there is none.
 */
export async function activeConsentOf(context: Context, key: Key): Promise<Consent | undefined> {
  const consent = await consentOf(context, key)
  if (consent === undefined || consent.status === 'ACCEPTED') {
    return consent
  }
  const inForce = await listConsentsInForce(context, consent)
  return inForce.find((other) => isSameUser(other, consent)) ?? consent
}

/** The ids of all consents of the user of a consent, also those that have ended, of this partner at this bank and company. */
export async function consentIdsOfUser(context: Context, consent: Consent): Promise<readonly string[]> {
  const others = (await listConsentsLike(context, consent)).filter((other) => isSameUser(other, consent))
  return [...new Set([consent.id, ...others.map(({ id }) => id)])]
}

/** The consents in force of a partner at a bank for a company, newest first. */
export async function consentsInForce(
  context: Context,
  filter: Pick<Consent, 'partnerId' | 'bic' | 'countryCode' | 'organisationNumber'>,
): Promise<readonly Consent[]> {
  return await listConsentsInForce(context, filter)
}

/** The consents in force of all partners, or those at one bank, newest first. */
export async function allConsentsInForce(context: Context, bic?: string): Promise<readonly Consent[]> {
  return await listConsentsInForce(context, bic === undefined ? {} : { bic })
}

/** The partner and company of an SCA session for its pages, from the consent of the signing user. */
export async function scaPartiesOf(
  context: Context,
  { partnerId, consentId }: { readonly partnerId: string; readonly consentId: string | null },
): Promise<ScaSessionParties> {
  const consent = consentId === null ? undefined : await findConsent(context, { partnerId, id: consentId })
  const partner = await requirePartner(context, partnerId)
  const company = consent === undefined ? null : await findRequestedCompany(context, consent)
  return { partnerName: partner.name, companyName: company?.name ?? '', countryCode: consent?.countryCode ?? '' }
}
