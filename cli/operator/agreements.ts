/** `havn agreement`: creates, lists and ends companies' agreements with banks on file payments. */

import type { Command } from 'commander'
import { requirePartner } from '../../gateway/auth/list-partners.ts'
import { endAgreement, listAgreements, registerAgreement } from '../../gateway/consents/agreements/agreement.ts'
import { parseDay } from '../../gateway/platform/clock.ts'
import { printTable, type TableOptions } from './print-table.ts'
import { type GatewayGiven, gatewayAction, jsonOption, partnerArgument } from './run-operator-command.ts'
import { typedId } from './typed-values.ts'

type AgreementOptions = {
  readonly bank: string
  readonly country: string
  readonly number: string
  readonly agreement: string
  readonly account: readonly string[]
  readonly until?: string
}

export function addAgreementCommands(group: Command): void {
  group.addHelpText('after', EXAMPLES)
  addCreationCommand(group)
  group
    .command('list')
    .description("print a partner's agreements, ended ones too")
    .addArgument(partnerArgument())
    .addOption(jsonOption())
    .action(gatewayAction(printAgreements))
  group
    .command('end')
    .description('end an agreement: new orders are rejected, sent orders continue')
    .addArgument(partnerArgument())
    .argument('<id>', 'the id of the agreement')
    .action(
      gatewayAction(async ({ context, actor }, nameOrId: string, id: string) => {
        const partner = await requirePartner(context, nameOrId)
        const agreementId = typedId(id, 'the id of an agreement', 'havn agreement list')
        const ended = await endAgreement(context, actor, { partnerId: partner.id, id: agreementId })
        console.log(ended ? 'The agreement is ended.' : 'The agreement had ended before.')
      }),
    )
}

function addCreationCommand(group: Command): void {
  group
    .command('create')
    .description('add an agreement of a company with its bank; use the printed id as consent-id')
    .addArgument(partnerArgument())
    .requiredOption('--bank <bic>', 'a bank of the directory that accepts files')
    .requiredOption('--country <code>', 'two letters, for example NO')
    .requiredOption('--number <number>', "the company's organisation number")
    .requiredOption('--agreement <number>', "the bank's customer id in files")
    .requiredOption('--account <number...>', 'the accounts that files may pay from')
    .option('--until <day>', 'the last day, YYYY-MM-DD; by default the maximum of the bank')
    .action(
      gatewayAction(async ({ context, actor }, nameOrId: string, typed: AgreementOptions) => {
        const partner = await requirePartner(context, nameOrId)
        const id = await registerAgreement(context, actor, {
          partnerId: partner.id,
          bic: typed.bank,
          countryCode: typed.country.trim().toUpperCase(),
          organisationNumber: typed.number,
          number: typed.agreement.trim(),
          accounts: typed.account,
          ...(typed.until === undefined ? {} : { until: dayOf(typed.until) }),
        })
        console.log(`${partner.name} may order payrolls in files. The consent-id is ${id}`)
      }),
    )
}

async function printAgreements({ context }: GatewayGiven, nameOrId: string, options: TableOptions): Promise<void> {
  const partner = await requirePartner(context, nameOrId)
  const rows = (await listAgreements(context, partner.id)).map((agreement) => ({
    id: agreement.id,
    status: agreement.status,
    bank: agreement.bic,
    company: `${agreement.countryCode} ${agreement.organisationNumber}`,
    agreement: agreement.number,
    accounts: agreement.accounts.map(({ bban, iban }) => bban ?? iban ?? ''),
    'valid until': agreement.validUntil.toString(),
  }))
  printTable({ rows, whenEmpty: `${partner.name} has no agreement.` }, options)
}

function dayOf(text: string): Temporal.PlainDate {
  const day = parseDay(text)
  if (day === undefined) {
    throw new Error(`${text} is not a date: use YYYY-MM-DD`)
  }
  return day
}

const EXAMPLES = `
Banks that accept files have a written contract with the company. The agreement replaces the consent of a user, and the
partner sends its id as consent-id:

  havn agreement create "Nordlønn" --bank FILENO22 --country NO --number 988077917 \\
    --agreement CUSTOMER-7 --account "8601 11 17947"
  havn agreement end "Nordlønn" 019ab1c2-7f00-7000-8000-000000000000

Every change is recorded in the audit log with your name (of HAVN_OPERATOR_TOKEN, and of the system's user).`
