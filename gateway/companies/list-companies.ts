/** Lists a partner's companies, and reads one with its history. */
import type { Company as CompanyShown } from '../../contract/companies.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import { type AuditLogEntry, listAuditLog } from '../operators/audit-log.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { requireOrganisationNumber } from './add-company.ts'
import { companyNotFoundMessage } from './change-company.ts'
import type { Company } from './company.ts'
import {
  type CompanyNumber,
  type CompanySearch,
  companySearchQuery,
  findCompany,
  listPartnerCompanies,
} from './company-store.ts'

/** The caller's own companies, sorted by name. */
export async function listCompanies(
  { database }: { readonly database: Queryable },
  caller: Pick<PartnerCaller, 'partnerId'>,
): Promise<CompanyShown[]> {
  const companies = await listPartnerCompanies(database, caller.partnerId)
  return companies.map(renderCompany)
}

/** The company as it appears in API responses. */
export function renderCompany(company: Company): CompanyShown {
  const { organisationNumber, countryCode, name, activeSubscription, services, onboardingId } = company
  return {
    organizationNumber: organisationNumber,
    country: countryCode,
    name,
    activeSubscription,
    services: [...services],
    onboardingId,
  }
}

/** Every company of a partner by name. */
export async function listCompaniesForOperator(
  { database }: ProgramContext,
  partnerId: string,
): Promise<readonly Company[]> {
  return await listPartnerCompanies(database, partnerId)
}

/** A page of a partner's companies, newest first. */
export async function searchCompanies(
  { database }: Context,
  search: CompanySearch,
  limit: number,
): Promise<readonly Company[]> {
  return await companySearchQuery(database, search, limit).execute()
}

/** One company and its history, oldest first. Throws when the partner does not have it. */
export async function getCompany(
  context: ProgramContext,
  requested: CompanyNumber,
): Promise<{ readonly company: Company; readonly history: readonly AuditLogEntry[] }> {
  const number = { ...requested, organisationNumber: requireOrganisationNumber(requested) }
  const company = await findCompany(context.database, number)
  if (company === undefined) {
    throw new Error(companyNotFoundMessage(number))
  }
  return { company, history: await listAuditLog(context, company.partnerId, company.id) }
}
