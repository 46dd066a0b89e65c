/** Starts an onboarding for a partner: a link that the company's people may open, and nothing more yet. */
import type { OnboardingAsked, OnboardingStarted } from '../../contract/onboarding.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { mayPay } from '../companies/company.ts'
import { findCompany } from '../companies/company-store.ts'
import { requireSoundNumber } from '../companies/validate-company-request.ts'
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { expiryAfter, type Onboarding, onboardingAddress } from './onboarding.ts'
import { insertOnboarding } from './onboarding-store.ts'
import { refuseExisting } from './refuse-existing.ts'

/** Throws `COMPANY_ALREADY_EXISTS` for a company that may pay already; one that only gives account information may go on. */
export async function startOnboarding(
  context: Context,
  { partnerId, clientId }: Pick<PartnerCaller, 'partnerId' | 'clientId'>,
  asked: OnboardingAsked,
): Promise<OnboardingStarted> {
  const number = { partnerId, countryCode: asked.country, organisationNumber: requireSoundNumber(asked) }
  const company = await findCompany(context.database, number)
  if (company !== undefined && mayPay(company)) {
    throw refuseExisting(company)
  }
  const token = newToken()
  const at = context.clock.now()
  const onboarding: Onboarding = {
    ...number,
    id: newId(),
    organisationName: null,
    status: 'Created',
    statusReason: null,
    redirectUrl: asked.redirectUrl ?? null,
    linkHash: hashToken(token),
    revision: 0,
    submittedAt: null,
    documentHash: null,
    tasksDone: [],
    documentsAskedAt: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: expiryAfter(at),
  }
  const { id } = onboarding
  await atomically(context.database, async (database) => {
    await insertOnboarding(database, onboarding)
    const entry = { partnerId, actor: `client ${clientId}`, action: 'onboarding started' }
    await writeAudit({ database, clock: context.clock }, { ...entry, subject: ['onboarding', id] })
  })
  return { id, url: onboardingAddress(context.config.onboardingUrl, onboarding, token) }
}
