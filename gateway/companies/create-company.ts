/** Creates a company of a partner with an active subscription, and its entry in the audit log. */
import { writeAuditEntry } from '../operators/audit-log.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { Company } from './company.ts'
import { type CompanyNumber, insertCompany } from './company-store.ts'

type NewCompany = CompanyNumber &
  Pick<Company, 'name' | 'onboarded'> &
  Partial<Pick<Company, 'internationalPayments' | 'onboardingId'>>

/** Undefined when the partner has it already. */
export async function createCompany(
  context: ProgramContext,
  actor: string,
  action: 'company added' | 'company registered',
  { partnerId, countryCode, organisationNumber, name, onboarded, ...given }: NewCompany,
): Promise<Company | undefined> {
  const { internationalPayments = false, onboardingId = null } = given
  const id = newId()
  const services: Company['services'] = onboarded ? ['AIS', 'PIS'] : ['AIS']
  const detail = { countryCode, organisationNumber, name, services }
  const company = { partnerId, id, ...detail, onboarded, activeSubscription: true, internationalPayments, onboardingId }
  return await inTransaction(context, async (context) => {
    if (!(await insertCompany(context.database, company, context.clock.now()))) {
      return undefined
    }
    const entry = { partnerId, actor, action, subject: ['company', id] as const }
    await writeAuditEntry(context, { ...entry, detail: onboardingId === null ? detail : { ...detail, onboardingId } })
    return company
  })
}
