/** Says who asks for a signature, and for which company, as the pages of a signing name them. */
import { requirePartner } from '../auth/list-partners.ts'
import { companyOf } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import type { SigningSummary } from '../signing/signing.ts'
import type { Consent } from './consent.ts'
import { findConsent } from './consent-store.ts'

/** By the consent of the user who signs. */
export async function partiesOf(
  context: Context,
  { partnerId, consentId }: { readonly partnerId: string; readonly consentId: string | null },
): Promise<SigningSummary> {
  const consent = consentId === null ? undefined : await findConsent(context, { partnerId, id: consentId })
  return await partiesTo(context, partnerId, consent)
}

/** By a consent that may not be kept yet. */
export async function partiesTo(
  context: Context,
  partnerId: string,
  consent: Consent | undefined,
): Promise<SigningSummary> {
  const partner = await requirePartner(context, partnerId)
  const company = consent === undefined ? null : await companyOf(context, consent)
  return { partnerName: partner.name, companyName: company?.name ?? '' }
}
