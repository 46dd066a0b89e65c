/** Shows a company to an operator, with everything that was done to it. */
import type { Context } from '../context.ts'
import { type AuditLine, showAudit } from '../operators/list-audit-log.ts'
import { requireOrganisationNumber } from './add-company.ts'
import { noSuchCompany } from './change-company.ts'
import type { Company } from './company.ts'
import { type CompanyNumber, findCompany, listCompaniesOf } from './company-store.ts'

/** Every company of a partner by name. */
export async function showCompanies(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
): Promise<readonly Company[]> {
  return await listCompaniesOf(database, partnerId)
}

/** One company and its history, oldest first. Throws when the partner does not have it. */
export async function showCompany(
  { database }: Pick<Context, 'database'>,
  asked: CompanyNumber,
): Promise<{ readonly company: Company; readonly history: readonly AuditLine[] }> {
  const number = { ...asked, organisationNumber: requireOrganisationNumber(asked) }
  const company = await findCompany(database, number)
  if (company === undefined) {
    throw new Error(noSuchCompany(number))
  }
  return { company, history: await showAudit({ database }, company.partnerId, company.id) }
}
