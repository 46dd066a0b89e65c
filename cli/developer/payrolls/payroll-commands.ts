/** Declares `havn payroll pay`. */
import type { Command } from 'commander'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import { simulateOption, withConsentOptions } from '../consents/consent-commands.ts'
import type { SharedOptions } from '../developer-context.ts'
import { examples } from '../output/examples.ts'
import type { PaySalariesOptions } from './pay-salaries.ts'

const FILE_HELP = `
The file is CSV in UTF-8 with a header line; cells are separated by commas, semicolons or tabs:
  name,account,amount,message,reference,endToEndId
Required are name, account and amount. Without a message or reference, a salary has the text of --message; without an
endToEndId, it has one made of the due date, the file and the line.

The same file with the same account and due date is the same payroll: repeating the command after it was interrupted
orders nothing again, and goes on where it was. The report has the status of each line.`

export function addPayrollCommands(group: Command): void {
  withConsentOptions(withSharedOptions(group.command('pay')))
    .description('order the salaries of a CSV file as one payroll, have it approved, and report on each')
    .argument('<file>', 'the salaries')
    .requiredOption('--due-date <day>', 'the day on which the bank pays; a bank day, for example 2026-11-30')
    .option('--account <number>', 'the account to pay from; by default the only one, asked for on a terminal')
    .option('--message <text>', 'the message to receivers whose row has none', 'Salary')
    .option('--report <file>', 'where the report is written; by default next to the file, as .report.csv')
    .option('--check', 'only validate the file')
    .option('--follow', 'wait until every status is final')
    .option('--user <id>', 'with --simulate: who signs')
    .option('--callback-url <url>', 'where the user returns to')
    .addOption(simulateOption())
    .addHelpText(
      'after',
      `${FILE_HELP}\n${examples([
        ['havn payroll pay salaries.csv --due-date 2026-11-30 --check', ''],
        ['havn payroll pay salaries.csv --due-date 2026-11-30 --account 80501100017 --follow', ''],
      ])}`,
    )
    .action((file: string, options: PaySalariesOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { paySalaries } = await import('./pay-salaries.ts')
        await paySalaries(context, file, options)
      }),
    )
}
