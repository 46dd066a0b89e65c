/** Changes what a company is called and what it may do, for operators; the audit log keeps what it was before. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import { requireOrganisationNumber } from './add-company.ts'
import { type Company, type CompanyChange, mayPay, readCompanyName } from './company.ts'
import { type CompanyNumber, lockCompany, updateCompany } from './company-store.ts'

type Surroundings = Pick<Context, 'clock'> & { readonly database: Queryable }

/** The company as it is now, and whether anything had to be changed for that. */
export type CompanyChanged = { readonly company: Company; readonly changed: boolean }

/** One kind of change: how the audit log calls it, and what it makes of the company. */
type Alteration = { readonly action: string; readonly change: (company: Company) => CompanyChange }

/** Begins or ends the subscription: without one no bank is asked anything new for the company. What is under way is followed to its end. */
export function setSubscription(to: boolean): Alteration {
  return { action: `subscription ${to ? 'activated' : 'ended'}`, change: () => ({ activeSubscription: to }) }
}

/** Allows or forbids payments to other countries. Throws when the company may not pay at all. */
export function setInternationalPayments(to: boolean): Alteration {
  const change = (company: Company): CompanyChange => {
    if (to && !mayPay(company)) {
      throw new Error(`${company.name} is registered for account information only: onboard it first`)
    }
    return { internationalPayments: to }
  }
  return { action: `international payments ${to ? 'allowed' : 'forbidden'}`, change }
}

/** Lets a company that was registered for account information pay as well. */
export function onboard(): Alteration {
  return { action: 'company onboarded', change: () => ({ onboarded: true, services: ['AIS', 'PIS'] }) }
}

/** Gives it another name, which the owners of its accounts are compared with from now on. */
export function rename(to: string): Alteration {
  const name = readCompanyName(to)
  return { action: 'company renamed', change: () => ({ name }) }
}

/** Carries out an alteration once; nothing is written where the company is so already. Throws when there is none. */
export async function changeCompany(
  { database, clock }: Surroundings,
  actor: string,
  asked: CompanyNumber,
  { action, change }: Alteration,
): Promise<CompanyChanged> {
  const organisationNumber = requireOrganisationNumber(asked)
  return await atomically(database, async (within) => {
    const company = await lockCompany(within, { ...asked, organisationNumber })
    if (company === undefined) {
      throw new Error(noSuchCompany({ ...asked, organisationNumber }))
    }
    const to = change(company)
    const changed = { ...company, ...to }
    if (JSON.stringify(changed) === JSON.stringify(company)) {
      return { company, changed: false }
    }
    await updateCompany(within, company, to)
    const { partnerId, id } = company
    const detail = { from: pick(company, to), to }
    await writeAudit({ database: within, clock }, { partnerId, actor, action, subject: ['company', id], detail })
    return { company: changed, changed: true }
  })
}

/** What to tell an operator who asks for a company that the partner does not have. */
export function noSuchCompany({ countryCode, organisationNumber }: CompanyNumber): string {
  return `The partner has no company ${countryCode} ${organisationNumber}; \`havn company list\` prints those it has`
}

function pick(company: Company, change: CompanyChange): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(company).filter(([name]) => name in change))
}
