/** Finds the partner and company of an SCA session for its pages. */
import { requirePartner } from '../auth/list-partners.ts'
import type { ScaSessionParties } from '../authorisations/signature-summary.ts'
import { findRequestedCompany } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import { findConsent } from './consent-store.ts'

/** From the consent of the signing user. */
export async function scaPartiesOf(
  context: Context,
  { partnerId, consentId }: { readonly partnerId: string; readonly consentId: string | null },
): Promise<ScaSessionParties> {
  const consent = consentId === null ? undefined : await findConsent(context, { partnerId, id: consentId })
  const partner = await requirePartner(context, partnerId)
  const company = consent === undefined ? null : await findRequestedCompany(context, consent)
  return { partnerName: partner.name, companyName: company?.name ?? '', countryCode: consent?.countryCode ?? '' }
}
