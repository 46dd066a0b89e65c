/** Finds companies by number; concurrent requests share one SQL statement. */
import type { Context } from '../context.ts'
import { coalesce } from '../platform/database/coalesce.ts'
import type { Company } from './company.ts'
import { type CompanyNumber, findCompanies } from './company-store.ts'

/** Finds a company; null when the partner does not have it. */
export type FindCompany = (number: CompanyNumber) => Promise<Company | null>

/** Creates the finder that a process shares. */
export function companyFinder({ database }: Context): FindCompany {
  const find = coalesce<CompanyNumber, { company: Company | null }>({
    keyOf: ({ organisationNumber }) => organisationNumber,
    run: async (numbers) => (await findCompanies(database, numbers)).map((company) => ({ company })),
  })
  return async (number) => (await find(number)).company
}
