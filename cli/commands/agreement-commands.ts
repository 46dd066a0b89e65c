/** Declares `havn agreement`: what operators do with the agreements of companies with banks that take files. */
import type { Command } from 'commander'
import type { AgreementTyped } from '../operator/agreements.ts'
import { PARTNER } from './operate.ts'

/** Adds the commands to their group. */
export function addAgreementCommands(group: Command): void {
  const agreements = () => import('../operator/agreements.ts')
  group.addHelpText('after', EXAMPLES)
  group
    .command('create')
    .description('enter what a company has agreed with its bank; the id that is printed is used as consent-id')
    .addArgument(PARTNER())
    .requiredOption('--bank <bic>', 'a bank of the directory that takes files')
    .requiredOption('--country <code>', 'two letters, for example NO')
    .requiredOption('--number <number>', "the company's organisation number, written as its country writes it")
    .requiredOption('--agreement <number>', 'what the bank calls the customer in files')
    .requiredOption('--account <number...>', 'the accounts that files may pay from')
    .option('--until <day>', 'the last day, YYYY-MM-DD; the longest that the bank allows unless given')
    .action(async (partner: string, typed: Omit<AgreementTyped, 'partner'>) =>
      (await agreements()).createAgreement(process.env, { partner, ...typed }),
    )
  group
    .command('list')
    .description("print a partner's agreements, ended ones too")
    .addArgument(PARTNER())
    .action(async (partner: string) => (await agreements()).printAgreements(process.env, partner))
  group
    .command('end')
    .description('end an agreement: nothing new is ordered under it, and what was sent goes on')
    .addArgument(PARTNER())
    .argument('<id>', 'the id of the agreement')
    .action(async (partner: string, id: string) => (await agreements()).endTypedAgreement(process.env, partner, id))
}

const EXAMPLES = `
Banks that take files know the company by a contract on paper. Its agreement stands in for the consent that a user would
give, and the partner sends its id as consent-id:

  havn agreement create "Nordlønn" --bank FILENO22 --country NO --number 988077917 \\
    --agreement CUSTOMER-7 --account "8601 11 17947"
  havn agreement end "Nordlønn" 019ab1c2-7f00-7000-8000-000000000000

Every change is kept in the audit log with your name (HAVN_OPERATOR, else the system's user).`
