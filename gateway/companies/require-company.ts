/** Finds a partner's company, and says which is missing when it may not be served: onboarding or subscription. */
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { type Company, mayPay } from './company.ts'
import type { FindCompany } from './company-finder.ts'
import { type CompanyNumber, findCompany } from './company-store.ts'

/** The company as the partner brought it in. Throws `forbidden`. */
export async function requireCompany(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  countryCode: string,
  organisationNumber: string,
): Promise<Company> {
  const asked = { partnerId, countryCode, organisationNumber }
  return requireSubscription(requireKnown(asked, await companyOf({ database }, asked)))
}

/** The company, served or not; null when the partner does not have it. */
export async function companyOf(
  { database }: Pick<Context, 'database'>,
  { partnerId, countryCode, organisationNumber }: CompanyNumber,
): Promise<Company | null> {
  return (await findCompany(database, { partnerId, countryCode, organisationNumber })) ?? null
}

/** Makes sure that payments may be made for a company. Throws `forbidden`, naming everything that is missing. */
export async function requirePaying(findCompany: FindCompany, asked: CompanyNumber): Promise<void> {
  const company = requireKnown(asked, await findCompany(asked))
  if (!mayPay(company)) {
    const also = company.activeSubscription ? '' : ' and an active subscription'
    const lacking = `payments need onboarding${also}`
    throw refuse('forbidden', `${company.name} is registered for account information only; ${lacking}`)
  }
  requireSubscription(company)
}

/** The same for payments to other countries, or from accounts in other currencies. */
export async function requirePayingAbroad(findCompany: FindCompany, asked: CompanyNumber): Promise<void> {
  await requirePaying(findCompany, asked)
  const { name, internationalPayments } = requireKnown(asked, await findCompany(asked))
  if (!internationalPayments) {
    throw refuse('COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS', `${name} may not make international payments`)
  }
}

function requireKnown({ countryCode, organisationNumber }: CompanyNumber, company: Company | null): Company {
  if (company === null) {
    throw refuse(
      'forbidden',
      `The company ${countryCode} ${organisationNumber} is neither onboarded nor registered with you`,
    )
  }
  return company
}

function requireSubscription(company: Company): Company {
  if (!company.activeSubscription) {
    throw refuse('INACTIVE_SUBSCRIPTION', `The subscription of ${company.name} is not active`)
  }
  return company
}
