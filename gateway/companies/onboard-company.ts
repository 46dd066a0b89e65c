/** Onboards a company: creates it, or upgrades a registered one, so that it may pay. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { type Company, truncateCompanyName } from './company.ts'
import { type CompanyNumber, lockCompany, updateCompany } from './company-store.ts'
import { createCompany } from './create-company.ts'
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
  context: Context,
  { partnerId, countryCode, organisationNumber }: CompanyNumber,
  company: Company | undefined,
  { actor, onboardingId, name: registeredName }: OnboardedBy,
): Promise<void> {
  const number = { partnerId, countryCode, organisationNumber }
  // Account owners at banks are compared with the name, which may have changed since a registration.
  const name = truncateCompanyName(registeredName)
  const created = { ...number, name, onboarded: true, onboardingId }
  if (company === undefined && (await createCompany(context, actor, 'company added', created)) !== undefined) {
    return
  }
  const existing = company ?? (await lockForOnboarding(context.database, number))?.company
  if (existing === undefined) {
    throw apiError('conflict', 'Another request has just onboarded this company')
  }
  const to = { name, onboarded: true, services: ['AIS', 'PIS'], activeSubscription: true, onboardingId } as const
  await updateCompany(context.database, existing, to)
  const detail = { onboardingId, ...(name === existing.name ? {} : { from: existing.name, to: name }) }
  const entry = {
    partnerId,
    actor,
    action: 'company onboarded' as const,
    subject: ['company', existing.id] as const,
    detail,
  }
  await writeAuditEntry(context, entry)
}
