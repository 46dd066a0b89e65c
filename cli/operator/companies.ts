/** `havn company`: what companies a partner may act for, and what each of them may do. */
import { requirePartner } from '../../gateway/auth/list-partners.ts'
import { addCompany } from '../../gateway/companies/add-company.ts'
import {
  changeCompany,
  onboard,
  rename,
  setInternationalPayments,
  setSubscription,
} from '../../gateway/companies/change-company.ts'
import { type Company, mayPay } from '../../gateway/companies/company.ts'
import { showCompanies, showCompany } from '../../gateway/companies/get-company.ts'
import type { Surroundings } from './operator-context.ts'
import { tableOf } from './print-table.ts'

/** Whose company, and which. */
export type CompanyTyped = { readonly partner: string; readonly country: string; readonly number: string }

/** What an operator may change. */
const ALTERATIONS = {
  subscription: (to: string) => setSubscription(to === 'on'),
  international: (to: string) => setInternationalPayments(to === 'on'),
  onboard: () => onboard(),
  rename: (to: string) => rename(to),
} as const
export type AlterationName = keyof typeof ALTERATIONS

/** Adds a company to a partner. */
export async function addTypedCompany(
  surroundings: Surroundings,
  actor: string,
  typed: CompanyTyped,
  { name, accountInformationOnly }: { readonly name: string; readonly accountInformationOnly?: boolean },
): Promise<void> {
  const { partner, number } = await read(surroundings, typed)
  const wanted = { ...number, name, accountInformationOnly: accountInformationOnly === true }
  const company = await addCompany(surroundings, actor, wanted)
  console.log(`${partner.name} may act for ${describe(company)}.`)
}

/** Prints a partner's companies. */
export async function printCompanies(surroundings: Surroundings, nameOrId: string): Promise<void> {
  const partner = await requirePartner(surroundings, nameOrId)
  const companies = await showCompanies(surroundings, partner.id)
  const rows = companies.map((company) => [
    company.countryCode,
    company.organisationNumber,
    company.name,
    ...statesOf(company).map(([, state]) => state),
  ])
  const headings = ['country', 'number', 'name', 'onboarding', 'subscription', 'international']
  console.log(tableOf(headings, rows, `${partner.name} has no company.`))
}

/** Prints one company and everything that was done to it. */
export async function printCompany(surroundings: Surroundings, typed: CompanyTyped): Promise<void> {
  const { partner, number } = await read(surroundings, typed)
  const { company, history } = await showCompany(surroundings, number)
  const facts = [['company', describe(company)], ['partner', partner.name], ['id', company.id], ...statesOf(company)]
  console.log(facts.map(([name = '', value]) => `${name.padEnd(WIDTH)}${value}`).join('\n'))
  const rows = history.map(({ at, actor, action, detail }) => [at.toString(), actor, action, JSON.stringify(detail)])
  console.log(`\n${tableOf(['at', 'who', 'what', 'detail'], rows, NO_HISTORY)}`)
}

/** Changes one thing about a company, and says what it is now. */
export async function changeTypedCompany(
  surroundings: Surroundings,
  actor: string,
  typed: CompanyTyped,
  [alteration, to]: readonly [alteration: AlterationName, to: string],
): Promise<void> {
  const { number } = await read(surroundings, typed)
  const { company, changed } = await changeCompany(surroundings, actor, number, ALTERATIONS[alteration](to))
  const states = statesOf(company).map(([name, state]) => `${name} ${state}`)
  console.log(`${describe(company)}: ${states.join(', ')}${changed ? '' : ' (as before)'}.`)
}

const WIDTH = 16
const NO_HISTORY = 'Nothing is recorded of it yet.'

async function read(surroundings: Surroundings, { partner: nameOrId, country, number }: CompanyTyped) {
  const partner = await requirePartner(surroundings, nameOrId)
  const asked = { partnerId: partner.id, countryCode: country.trim().toUpperCase(), organisationNumber: number }
  return { partner, number: asked }
}

function describe({ name, countryCode, organisationNumber }: Company): string {
  return `${name} (${countryCode} ${organisationNumber})`
}

function statesOf(company: Company): readonly (readonly [name: string, state: string])[] {
  return [
    ['onboarding', mayPay(company) ? 'onboarded' : 'account information only'],
    ['subscription', company.activeSubscription ? 'active' : 'inactive'],
    ['international', company.internationalPayments ? 'allowed' : 'not allowed'],
  ]
}
