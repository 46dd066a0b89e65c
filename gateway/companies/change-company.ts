/** Changes a company's name or rights for an operator and records the old values in the audit log. */

import type { AuditAction } from '../operators/audit-actions.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { requireOrganisationNumber } from './add-company.ts'
import { type Company, type CompanyChange, parseCompanyName } from './company.ts'
import { type CompanyNumber, lockCompany, updateCompany } from './company-store.ts'
import { mayPay } from './require-company.ts'

/** The company after the change, and whether anything changed. */
export type CompanyChangeResult = { readonly company: Company; readonly changed: boolean }

/** One kind of change: its name in the audit log, and the changed fields. */
type CompanyAlteration = { readonly action: AuditAction; readonly change: (company: Company) => CompanyChange }

/** Activates or ends the subscription. Without one, no new request goes to a bank; orders in flight are still polled. */
export function setSubscription(to: boolean): CompanyAlteration {
  return { action: `subscription ${to ? 'activated' : 'ended'}`, change: () => ({ activeSubscription: to }) }
}

/** Allows or forbids payments to other countries. Throws when the company may not pay at all. */
export function setInternationalPayments(to: boolean): CompanyAlteration {
  const change = (company: Company): CompanyChange => {
    if (to && !mayPay(company)) {
      throw apiError('conflict', `${company.name} is registered for account information only: onboard it first`)
    }
    return { internationalPayments: to }
  }
  return { action: `international payments ${to ? 'allowed' : 'forbidden'}`, change }
}

/** Enables payments for a company that was registered for account information only. */
export function onboard(): CompanyAlteration {
  return { action: 'company onboarded', change: () => ({ onboarded: true, services: ['AIS', 'PIS'] }) }
}

/** Renames the company; account owners are compared with the new name. */
export function rename(to: string): CompanyAlteration {
  const name = parseCompanyName(to)
  return { action: 'company renamed', change: () => ({ name }) }
}

/** Applies an alteration; writes nothing when the company is unchanged. Throws when the company does not exist. */
export async function changeCompany(
  context: ProgramContext,
  actor: string,
  number: CompanyNumber,
  { action, change }: CompanyAlteration,
): Promise<CompanyChangeResult> {
  const organisationNumber = requireOrganisationNumber(number)
  return await inTransaction(context, async (context) => {
    const company = await lockCompany(context.database, { ...number, organisationNumber })
    if (company === undefined) {
      throw apiError('not-found', companyNotFoundMessage({ ...number, organisationNumber }))
    }
    const to = change(company)
    const changed = { ...company, ...to }
    if (JSON.stringify(changed) === JSON.stringify(company)) {
      return { company, changed: false }
    }
    await updateCompany(context.database, company, to)
    const { partnerId, id } = company
    const detail = { from: pick(company, to), to }
    await writeAuditEntry(context, { partnerId, actor, action, subject: ['company', id], detail })
    return { company: changed, changed: true }
  })
}

/** The error message for operators when the partner does not have the company. */
export function companyNotFoundMessage({ countryCode, organisationNumber }: CompanyNumber): string {
  return `The partner has no company ${countryCode} ${organisationNumber}; \`havn company list\` prints its companies`
}

function pick(company: Company, change: CompanyChange): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(company).filter(([name]) => name in change))
}
