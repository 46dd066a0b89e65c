/** Onboards a company: creates it, or upgrades a registered one, so that it may pay. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { type Company, truncateCompanyName } from './company.ts'
import { type CompanyNumber, insertCompany, lockCompany, updateCompany } from './company-store.ts'
import { mayPay } from './require-company.ts'

/** Who accepted the onboarding, its id, and the company's name in the company registry. */
export type OnboardedBy = { readonly actor: string; readonly onboardingId: string; readonly name: string }

/** Locks a company for its onboarding; null when it may already pay. */
export async function lockForOnboarding(
  database: Queryable,
  number: CompanyNumber,
): Promise<{ readonly company: Company | undefined } | null> {
  const company = await lockCompany(database, number)
  return company !== undefined && mayPay(company) ? null : { company }
}

/**
 * Creates or upgrades the company that `lockForOnboarding` has locked in this transaction. A company that was committed
 * after the lock found no row is upgraded as well. Throws `conflict` when it may already pay.
 */
export async function onboardCompany(
  surroundings: Context,
  number: CompanyNumber,
  company: Company | undefined,
  by: OnboardedBy,
): Promise<void> {
  if (company !== undefined) {
    await enablePaymentsFor(surroundings, company, by)
    return
  }
  if (!(await create(surroundings, number, by))) {
    const locked = await lockForOnboarding(surroundings.database, number)
    if (locked?.company === undefined) {
      throw apiError('conflict', 'Another request has just onboarded this company')
    }
    await enablePaymentsFor(surroundings, locked.company, by)
  }
}

/** False when the company exists already. */
async function create(
  surroundings: Context,
  { partnerId, countryCode, organisationNumber }: CompanyNumber,
  { actor, onboardingId, name }: OnboardedBy,
): Promise<boolean> {
  const company: Company = {
    partnerId,
    id: newId(),
    countryCode,
    organisationNumber,
    name: truncateCompanyName(name),
    onboarded: true,
    activeSubscription: true,
    services: ['AIS', 'PIS'],
    internationalPayments: false,
    onboardingId,
  }
  if (!(await insertCompany(surroundings.database, company, surroundings.clock.now()))) {
    return false
  }
  const detail = { countryCode, organisationNumber, onboardingId, services: company.services }
  await recordAudit(surroundings, actor, company, { action: 'company added', detail })
  return true
}

async function enablePaymentsFor(
  surroundings: Context,
  company: Company,
  { actor, onboardingId, name: registeredName }: OnboardedBy,
): Promise<void> {
  // Account owners at banks are compared with the name, which may have changed since the registration.
  const name = truncateCompanyName(registeredName)
  const to = { name, onboarded: true, services: ['AIS', 'PIS'], activeSubscription: true, onboardingId } as const
  await updateCompany(surroundings.database, company, to)
  const detail = { onboardingId, ...(name === company.name ? {} : { from: company.name, to: name }) }
  await recordAudit(surroundings, actor, company, { action: 'company onboarded', detail })
}

async function recordAudit(
  surroundings: Context,
  actor: string,
  { partnerId, id }: Company,
  what: { readonly action: string; readonly detail: Readonly<Record<string, unknown>> },
): Promise<void> {
  await writeAuditEntry(surroundings, { partnerId, actor, subject: ['company', id], ...what })
}
