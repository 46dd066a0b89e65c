/** Declares the commands of `havn agreement`, for companies' agreements with banks that accept files. */
import type { Command } from 'commander'
import type { AgreementArguments } from '../operator/agreements.ts'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption, partnerArgument } from './run-operator-command.ts'

export function addAgreementCommands(group: Command): void {
  const agreements = () => import('../operator/agreements.ts')
  group.addHelpText('after', EXAMPLES)
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
    .action(async (partner: string, typed: Omit<AgreementArguments, 'partner'>) =>
      (await agreements()).createAgreement(process.env, { partner, ...typed }),
    )
  group
    .command('list')
    .description("print a partner's agreements, ended ones too")
    .addArgument(partnerArgument())
    .addOption(jsonOption())
    .action(async (partner: string, options: TableOptions) =>
      (await agreements()).printAgreements(process.env, partner, options),
    )
  group
    .command('end')
    .description('end an agreement: new orders are rejected, sent orders continue')
    .addArgument(partnerArgument())
    .argument('<id>', 'the id of the agreement')
    .action(async (partner: string, id: string) => (await agreements()).endAgreementCommand(process.env, partner, id))
}

const EXAMPLES = `
Banks that accept files have a written contract with the company. The agreement replaces the consent of a user, and the
partner sends its id as consent-id:

  havn agreement create "Nordlønn" --bank FILENO22 --country NO --number 988077917 \\
    --agreement CUSTOMER-7 --account "8601 11 17947"
  havn agreement end "Nordlønn" 019ab1c2-7f00-7000-8000-000000000000

Every change is recorded in the audit log with your name (of HAVN_OPERATOR_TOKEN, and of the system's user).`
