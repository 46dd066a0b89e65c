/** `havn company`: the companies of a partner, and their permissions. */

import { Argument, type Command } from 'commander'
import { requirePartner } from '../../gateway/auth/list-partners.ts'
import { addCompany } from '../../gateway/companies/add-company.ts'
import {
  changeCompany,
  onboard,
  rename,
  setInternationalPayments,
  setSubscription,
} from '../../gateway/companies/change-company.ts'
import type { Company } from '../../gateway/companies/company.ts'
import { getCompany, listCompaniesForOperator } from '../../gateway/companies/list-companies.ts'
import { mayPay } from '../../gateway/companies/require-company.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { auditLogTable, type Table } from './print-table.ts'
import { type Given, operatorAction, partnerArgument, tableCommand } from './run-operator-command.ts'

/** Changes that an operator can make, by what they typed. */
const COMPANY_CHANGES = {
  subscription: (to: string) => setSubscription(to === 'on'),
  international: (to: string) => setInternationalPayments(to === 'on'),
  onboard: () => onboard(),
  rename: (to: string) => rename(to),
} as const

const WIDTH = 16

type CompanyNumber = { readonly country: string; readonly number: string }
type NewCompany = { readonly name: string; readonly accountInformationOnly?: boolean }

export function addCompanyCommands(group: Command): void {
  group.addHelpText('after', EXAMPLES)
  addCreationCommand(group)
  const list = group.command('list').description("print a partner's companies and their permissions")
  tableCommand(list.addArgument(partnerArgument()), companyTable)
  withCompanyArguments(group.command('show').description('print one company and its audit log')).action(
    operatorAction(printCompany),
  )
  addSwitch(
    group,
    'subscription',
    'activate or cancel the subscription: without one all requests for the company are rejected',
  )
  addSwitch(group, 'international', 'allow or forbid payments to other countries')
  withCompanyArguments(
    group.command('onboard').description('allow payments to a company that was registered for account information'),
  ).action((partner: string, which: CompanyNumber) => change(partner, which, 'onboard', ''))
  withCompanyArguments(group.command('rename').description('rename the company, as in the registry or at its bank'))
    .requiredOption('--to <name>', 'the present name in the registry')
    .action((partner: string, { to, ...which }: CompanyNumber & { to: string }) => change(partner, which, 'rename', to))
}

const EXAMPLES = `
A company belongs to one partner and is named by its country and organisation number:

  havn company add "Nordkontor" --country SE --number 559990-1005 --name "Norrsken Handel AB"
  havn company subscription off "Nordkontor" --country SE --number 559990-1005
  havn company show "Nordkontor" --country SE --number 559990-1005

Changes apply from the next request. Every change is recorded in the audit log with your name
(of HAVN_OPERATOR_TOKEN, and of the system's user).`

function addCreationCommand(group: Command): void {
  withCompanyArguments(
    group.command('add').description('add a company that you have checked, with an active subscription'),
  )
    .requiredOption('--name <name>', 'the name in the registry; account owners at banks are matched by it')
    .option('--account-information-only', 'register it without onboarding, so that it cannot pay')
    .action(
      operatorAction(async ({ context, actor }, nameOrId: string, typed: CompanyNumber & NewCompany) => {
        const { partner, number } = await read(context, nameOrId, typed)
        const { name, accountInformationOnly = false } = typed
        const company = await addCompany(context, actor, { ...number, name, accountInformationOnly })
        console.log(`${partner.name} may act for ${describe(company)}.`)
      }),
    )
}

async function companyTable({ context }: Given, nameOrId: string): Promise<Table> {
  const partner = await requirePartner(context, nameOrId)
  const rows = (await listCompaniesForOperator(context, partner.id)).map((company) => {
    const { onboarding, subscription, international } = statesOf(company)
    const { countryCode: country, organisationNumber: number, name } = company
    return { country, number, name, onboarding, subscription, international }
  })
  return { rows, whenEmpty: `${partner.name} has no company.` }
}

/** Prints one company with its audit log. */
async function printCompany({ context }: Given, nameOrId: string, which: CompanyNumber): Promise<void> {
  const { partner, number } = await read(context, nameOrId, which)
  const { company, history } = await getCompany(context, number)
  const facts = { company: describe(company), partner: partner.name, id: company.id, ...statesOf(company) }
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(WIDTH)}${value}`)
  console.log([...lines, '', auditLogTable(history)].join('\n'))
}

function addSwitch(group: Command, name: 'subscription' | 'international', description: string): void {
  const command = group.command(name).description(description)
  command.addArgument(new Argument('<on|off>', 'the new state').choices(['on', 'off']))
  withCompanyArguments(command).action((to: string, partner: string, which: CompanyNumber) =>
    change(partner, which, name, to),
  )
}

/** Every command but the list names one company. */
function withCompanyArguments(command: Command): Command {
  return command
    .addArgument(partnerArgument())
    .requiredOption('--country <code>', 'two letters, for example NO')
    .requiredOption('--number <number>', 'the organisation number')
}

/** Changes one property of a company, and prints the result. */
const change = operatorAction(
  async (
    { context, actor },
    nameOrId: string,
    which: CompanyNumber,
    alteration: keyof typeof COMPANY_CHANGES,
    to: string,
  ) => {
    const { number } = await read(context, nameOrId, which)
    const { company, changed } = await changeCompany(context, actor, number, COMPANY_CHANGES[alteration](to))
    const states = Object.entries(statesOf(company)).map(([name, state]) => `${name} ${state}`)
    console.log(`${describe(company)}: ${states.join(', ')}${changed ? '' : ' (as before)'}.`)
  },
)

async function read(context: ProgramContext, nameOrId: string, { country, number }: CompanyNumber) {
  const partner = await requirePartner(context, nameOrId)
  const requested = { partnerId: partner.id, countryCode: country.trim().toUpperCase(), organisationNumber: number }
  return { partner, number: requested }
}

function describe({ name, countryCode, organisationNumber }: Company): string {
  return `${name} (${countryCode} ${organisationNumber})`
}

function statesOf(company: Company) {
  return {
    onboarding: mayPay(company) ? 'onboarded' : 'account information only',
    subscription: company.activeSubscription ? 'active' : 'inactive',
    international: company.internationalPayments ? 'allowed' : 'not allowed',
  }
}
