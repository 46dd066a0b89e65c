/** Registers a company for account information alone, without anybody signing: for partners that agreed on it. */
import type { Registration, RegistrationAsked } from '../../contract/onboarding.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { partnerMay } from '../auth/partner-flags.ts'
import { refuseExisting } from '../onboarding/refuse-existing.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { invalid, refuse } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { lookUpCompany } from '../registries/look-up-company.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import { type Company, fittingCompanyName } from './company.ts'
import { findCompany, insertCompany } from './company-store.ts'
import { requireSoundNumber } from './validate-company-request.ts'

const ASK_AGAIN_SECONDS = 60

/** Throws `forbidden` without the agreement, `COMPANY_ALREADY_EXISTS`, or `unavailable` while the registry is silent. */
export async function registerCompany(
  context: RegistryContext,
  caller: Pick<PartnerCaller, 'partnerId' | 'clientId'>,
  asked: RegistrationAsked,
): Promise<Registration> {
  const { partnerId, clientId } = caller
  if (!(await partnerMay(context, partnerId, 'aisRegistration'))) {
    throw refuse('forbidden', 'Registering companies without onboarding needs an agreement with us')
  }
  const number = { partnerId, countryCode: asked.country, organisationNumber: requireSoundNumber(asked) }
  const existing = await findCompany(context.database, number)
  if (existing !== undefined) {
    throw refuseExisting(existing)
  }
  const company: Company = {
    ...number,
    id: newId(),
    name: await nameOf(context, number),
    onboarded: false,
    activeSubscription: true,
    services: ['AIS'],
    internationalPayments: false,
    onboardingId: null,
  }
  const at = context.clock.now()
  await atomically(context.database, async (database) => {
    if (!(await insertCompany(database, company, at))) {
      // It came while the registry was asked: what is told is what is kept.
      throw refuseExisting((await findCompany(database, number)) ?? company)
    }
    const { id, countryCode, organisationNumber, name, services } = company
    const detail = { countryCode, organisationNumber, name, services }
    const entry = { partnerId, actor: `client ${clientId}`, action: 'company registered', detail }
    await writeAudit({ database, clock: context.clock }, { ...entry, subject: ['company', id] })
  })
  return {
    country: company.countryCode,
    organizationNumber: company.organisationNumber,
    organizationName: company.name,
    services: [...company.services],
    activeSubscription: company.activeSubscription,
    registeredAt: printTimestamp(at),
  }
}

/** As the registry writes it: banks tell the owners of accounts by it. */
async function nameOf(
  context: RegistryContext,
  { countryCode, organisationNumber }: Pick<Company, 'countryCode' | 'organisationNumber'>,
): Promise<string> {
  const answer = await lookUpCompany(context, countryCode, organisationNumber)
  switch (answer.outcome) {
    case 'found':
      if (answer.company.isActive) {
        return fittingCompanyName(answer.company.name)
      }
      throw invalid('.organizationNumber', 'The company is struck off the registry')
    case 'unknown':
      throw invalid('.organizationNumber', 'The registry knows no company by this number')
    case 'no-registry':
      throw refuse('unavailable', `No registry tells of companies of ${countryCode} here; ask us to add the company`)
    case 'unavailable': {
      const message = 'The company registry does not answer; nothing was registered'
      throw refuse('unavailable', message, { retryAfterSeconds: ASK_AGAIN_SECONDS })
    }
    default: {
      const nothing: never = answer
      return nothing
    }
  }
}
