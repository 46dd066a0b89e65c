/** Starts an onboarding for a partner and returns the link for the company. */
import type { OnboardingRequest, OnboardingStarted } from '../../contract/onboarding.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { findRequestedCompany, mayPay } from '../companies/require-company.ts'
import { companyAlreadyExists, requireValidOrganisationNumber } from '../companies/validate-company-request.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { recordOnboardingAction } from './record-onboarding.ts'
import { buildOnboardingLink, expiryAfter, type Onboarding } from './store/onboarding.ts'
import { insertOnboarding } from './store/onboarding-store.ts'

/** Throws `COMPANY_ALREADY_EXISTS` when the company may already pay; account information only is no obstacle. */
export async function startOnboarding(
  context: Context,
  { partnerId, clientId }: Pick<PartnerCaller, 'partnerId' | 'clientId'>,
  request: OnboardingRequest,
): Promise<OnboardingStarted> {
  const organisationNumber = requireValidOrganisationNumber(request)
  const number = { partnerId, countryCode: request.country, organisationNumber }
  const company = await findRequestedCompany(context, number)
  if (company !== null && mayPay(company)) {
    throw companyAlreadyExists(company)
  }
  const token = newToken()
  const at = context.clock.now()
  const onboarding: Onboarding = {
    ...number,
    id: newId(),
    organisationName: null,
    status: 'Created',
    statusReason: null,
    redirectUrl: request.redirectUrl ?? null,
    linkHash: hashToken(token),
    revision: 0,
    submittedAt: null,
    documentHash: null,
    tasksDone: [],
    documentsRequestedAt: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: expiryAfter(at),
  }
  await inTransaction(context, async (context) => {
    await insertOnboarding(context.database, onboarding)
    await recordOnboardingAction(context, onboarding, { actor: `client ${clientId}`, action: 'onboarding started' })
  })
  return { id: onboarding.id, url: buildOnboardingLink(context.config.onboardingUrl, onboarding, token) }
}
