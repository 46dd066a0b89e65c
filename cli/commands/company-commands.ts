/** Declares the commands of `havn company`, for the companies of partners. */
import { Argument, type Command } from 'commander'
import type { CompanyArguments, CompanyChangeName } from '../operator/companies.ts'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption, partnerArgument, runOperatorCommand } from './run-operator-command.ts'

type CompanyNumber = Omit<CompanyArguments, 'partner'>

export function addCompanyCommands(group: Command): void {
  const companies = () => import('../operator/companies.ts')
  group.addHelpText('after', EXAMPLES)
  withCompanyArguments(
    group.command('add').description('add a company that you have checked, with an active subscription'),
  )
    .requiredOption('--name <name>', 'the name in the registry; account owners at banks are matched by it')
    .option('--account-information-only', 'register it without onboarding, so that it cannot pay')
    .action((partner: string, { name, accountInformationOnly, ...which }: CompanyNumber & NewCompany) =>
      runOperatorCommand(async (context, actor) => {
        const wanted = { name, ...(accountInformationOnly === undefined ? {} : { accountInformationOnly }) }
        await (await companies()).addCompanyCommand(context, actor, { partner, ...which }, wanted)
      }),
    )
  group
    .command('list')
    .description("print a partner's companies and their permissions")
    .addArgument(partnerArgument())
    .addOption(jsonOption())
    .action((partner: string, options: TableOptions) =>
      runOperatorCommand(async (context) => (await companies()).printCompanies(context, partner, options)),
    )
  withCompanyArguments(group.command('show').description('print one company and its audit log')).action(
    (partner: string, which: CompanyNumber) =>
      runOperatorCommand(async (context) => (await companies()).printCompany(context, { partner, ...which })),
  )
  addSwitch(
    group,
    'subscription',
    'activate or cancel the subscription: without one all requests for the ' + 'company are rejected',
  )
  addSwitch(group, 'international', 'allow or forbid payments to other countries')
  withCompanyArguments(
    group.command('onboard').description('allow payments to a company that was registered for account information'),
  ).action((partner: string, which: CompanyNumber) => change({ partner, ...which }, 'onboard', ''))
  withCompanyArguments(group.command('rename').description('rename the company, as in the registry or at its bank'))
    .requiredOption('--to <name>', 'the present name in the registry')
    .action((partner: string, { to, ...which }: CompanyNumber & { to: string }) =>
      change({ partner, ...which }, 'rename', to),
    )
}

type NewCompany = { readonly name: string; readonly accountInformationOnly?: boolean }

const EXAMPLES = `
A company belongs to one partner and is named by its country and organisation number:

  havn company add "Nordkontor" --country SE --number 559990-1005 --name "Norrsken Handel AB"
  havn company subscription off "Nordkontor" --country SE --number 559990-1005
  havn company show "Nordkontor" --country SE --number 559990-1005

Changes apply from the next request. Every change is recorded in the audit log with your name
(of HAVN_OPERATOR_TOKEN, and of the system's user).`

function addSwitch(group: Command, name: 'subscription' | 'international', description: string): void {
  const command = group.command(name).description(description)
  command.addArgument(new Argument('<on|off>', 'the new state').choices(['on', 'off']))
  withCompanyArguments(command).action((to: string, partner: string, which: CompanyNumber) =>
    change({ partner, ...which }, name, to),
  )
}

/** Every command but the list names one company. */
function withCompanyArguments(command: Command): Command {
  return command
    .addArgument(partnerArgument())
    .requiredOption('--country <code>', 'two letters, for example NO')
    .requiredOption('--number <number>', 'the organisation number')
}

async function change(typed: CompanyArguments, alteration: CompanyChangeName, to: string): Promise<void> {
  const { changeCompanyCommand } = await import('../operator/companies.ts')
  await runOperatorCommand((context, actor) => changeCompanyCommand(context, actor, typed, [alteration, to]))
}
