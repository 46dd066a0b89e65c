/** Looks companies up for the rooms whose requests name one; concurrent requests share a statement. */
import type { Context } from '../context.ts'
import { coalesce } from '../platform/database/coalesce.ts'
import type { Company } from './company.ts'
import { type CompanyNumber, findCompanies } from './company-store.ts'

/** Looks a company up; null when the partner does not have it. */
export type FindCompany = (asked: CompanyNumber) => Promise<Company | null>

/** Makes the look-up of a process. */
export function companyFinder({ database }: Pick<Context, 'database'>): FindCompany {
  const find = coalesce<CompanyNumber, { company: Company | null }>({
    keyOf: ({ organisationNumber }) => organisationNumber,
    run: async (asked) => (await findCompanies(database, asked)).map((company) => ({ company })),
  })
  return async (asked) => (await find(asked)).company
}
