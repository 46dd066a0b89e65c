/** Finds a partner's company, and checks that it is onboarded and has an active subscription; says whether it may pay. */
import type { Context } from '../context.ts'
import { coalesceBySource } from '../platform/database/coalesce.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import type { Company } from './company.ts'
import { type CompanyNumber, findCompanies, findCompany } from './company-store.ts'

/** The partner's company. Throws `forbidden` when it does not exist, `INACTIVE_SUBSCRIPTION` without a subscription. */
export async function requireCompany(context: Context, number: CompanyNumber): Promise<Company> {
  return requireUsable(number, await findRequestedCompany(context, number), { toPay: false })
}

/** The company, with or without a subscription; null when the partner does not have it. */
export async function findRequestedCompany(
  { database }: Context,
  { partnerId, countryCode, organisationNumber }: CompanyNumber,
): Promise<Company | null> {
  return (await findCompany(database, { partnerId, countryCode, organisationNumber })) ?? null
}

/** The company that pays. Throws `forbidden` that names everything that is missing. */
export async function requirePaymentsAllowed({ database }: Context, number: CompanyNumber): Promise<Company> {
  return requireUsable(number, await findPayingCompany(database, number), { toPay: true })
}

/** Concurrent payments find their companies with one statement. */
const findPayingCompany = coalesceBySource({
  keyOf: ({ organisationNumber }: CompanyNumber) => organisationNumber,
  run: findCompanies,
})

/** The same for payments to other countries, or from accounts in other currencies. */
export async function requireInternationalPayments(context: Context, number: CompanyNumber): Promise<void> {
  const { name, internationalPayments } = await requirePaymentsAllowed(context, number)
  if (!internationalPayments) {
    throw apiError('COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS', `${name} may not make international payments`)
  }
}

/** Whether payments may be made for the company; does not check its subscription. */
export function mayPay({ onboarded, services }: Pick<Company, 'onboarded' | 'services'>): boolean {
  return onboarded && services.includes('PIS')
}

function requireUsable(
  { countryCode, organisationNumber }: CompanyNumber,
  company: Company | null,
  { toPay }: { readonly toPay: boolean },
): Company {
  if (company === null) {
    throw apiError(
      'forbidden',
      `The company ${countryCode} ${organisationNumber} is neither onboarded nor registered with you`,
    )
  }
  if (toPay && !mayPay(company)) {
    const also = company.activeSubscription ? '' : ' and an active subscription'
    const missing = `payments need onboarding${also}`
    throw apiError('forbidden', `${company.name} is registered for account information only; ${missing}`)
  }
  if (!company.activeSubscription) {
    throw apiError('INACTIVE_SUBSCRIPTION', `The subscription of ${company.name} is not active`)
  }
  return company
}
