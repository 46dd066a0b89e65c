/** Declares `havn company`: what operators do with the companies of partners. */
import { Argument, type Command } from 'commander'
import type { AlterationName, CompanyTyped } from '../operator/companies.ts'
import { operate, PARTNER } from './operate.ts'

type Which = Omit<CompanyTyped, 'partner'>

/** Adds the commands to their group. */
export function addCompanyCommands(group: Command): void {
  const companies = () => import('../operator/companies.ts')
  group.addHelpText('after', EXAMPLES)
  ofOneCompany(group.command('add').description('add a company that you have checked, with an active subscription'))
    .requiredOption('--name <name>', 'as the registry writes it; banks tell the owners of accounts by it')
    .option('--account-information-only', 'register it without onboarding, so that it cannot pay')
    .action((partner: string, { name, accountInformationOnly, ...which }: Which & NewCompany) =>
      operate(async (context, actor) => {
        const wanted = { name, ...(accountInformationOnly === undefined ? {} : { accountInformationOnly }) }
        await (await companies()).addTypedCompany(context, actor, { partner, ...which }, wanted)
      }),
    )
  group
    .command('list')
    .description("print a partner's companies and what each of them may do")
    .addArgument(PARTNER())
    .action((partner: string) => operate(async (context) => (await companies()).printCompanies(context, partner)))
  ofOneCompany(group.command('show').description('print one company and everything that was done to it')).action(
    (partner: string, which: Which) =>
      operate(async (context) => (await companies()).printCompany(context, { partner, ...which })),
  )
  addSwitch(group, 'subscription', 'begin or end the subscription: without one nothing is served for the company')
  addSwitch(group, 'international', 'allow or forbid payments to other countries')
  ofOneCompany(
    group.command('onboard').description('let a company pay that was registered for account information'),
  ).action((partner: string, which: Which) => change({ partner, ...which }, 'onboard', ''))
  ofOneCompany(group.command('rename').description('give it another name, when the registry or its bank writes it so'))
    .requiredOption('--to <name>', 'as the registry writes it now')
    .action((partner: string, { to, ...which }: Which & { to: string }) => change({ partner, ...which }, 'rename', to))
}

type NewCompany = { readonly name: string; readonly accountInformationOnly?: boolean }

const EXAMPLES = `
A company belongs to one partner and is named by its country and organisation number:

  havn company add "Nordkontor" --country SE --number 559990-1005 --name "Norrsken Handel AB"
  havn company subscription off "Nordkontor" --country SE --number 559990-1005
  havn company show "Nordkontor" --country SE --number 559990-1005

Running programs know a change at their next request. Every change is kept in the audit log with your name
(HAVN_OPERATOR, else the system's user).`

function addSwitch(group: Command, name: 'subscription' | 'international', description: string): void {
  const command = group.command(name).description(description)
  command.addArgument(new Argument('<on|off>', 'what it is to be').choices(['on', 'off']))
  ofOneCompany(command).action((to: string, partner: string, which: Which) => change({ partner, ...which }, name, to))
}

/** Every command but the list names one company. */
function ofOneCompany(command: Command): Command {
  return command
    .addArgument(PARTNER())
    .requiredOption('--country <code>', 'two letters, for example NO')
    .requiredOption('--number <number>', 'the organisation number, written as its country writes it')
}

async function change(typed: CompanyTyped, alteration: AlterationName, to: string): Promise<void> {
  const { changeTypedCompany } = await import('../operator/companies.ts')
  await operate((context, actor) => changeTypedCompany(context, actor, typed, [alteration, to]))
}
