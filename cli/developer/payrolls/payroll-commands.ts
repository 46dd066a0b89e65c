/** Declares `havn payroll pay`. */
import type { Command } from 'commander'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import { simulateOption, withConsentOptions } from '../consents/consent-commands.ts'
import type { SharedOptions } from '../context.ts'
import { examples } from '../output/examples.ts'
import type { PaySalariesOptions } from './pay-salaries.ts'

const FILE_HELP = `
The file is CSV with a header line, as spreadsheets save it, in UTF-8, UTF-16 or Windows-1252, with cells separated by
commas, semicolons or tabs. Columns, in any order:
  name        the receiver (required)
  account     the account of the receiver: a BBAN, in any printed form (required)
  amount      above zero, for example 31250.00 or 31250,50; no thousands separators (required)
  message     to the receiver; without it and without a reference, the text of --message
  reference   for an account that requires one (KID, OCR, viitenumero), in place of a message
  endToEndId  yours, unique in the file; without it, one made of the due date and the salaries
One row is one salary, in the currency of the account. Empty lines are skipped.

The same salaries with the same account and due date are the same payroll, also when the file was saved again in another
encoding, with other separators or another order of columns: repeating the command orders nothing again, and goes on where
it was. The report has the status of each line.

--check validates the file with the gateway, as an order is validated, and orders nothing: it needs a consent and prints
every error with its line and column, what keeps the company or the bank from paying at present, or the number of salaries
and their total. It cannot know what the bank alone decides when it has the order, and what changes until then.`

export function addPayrollCommands(group: Command): void {
  withConsentOptions(withSharedOptions(group.command('pay')))
    .description('order the salaries of a CSV file as one payroll, have it approved, and report on each')
    .argument('<file>', 'the salaries')
    .requiredOption('--due-date <day>', 'the day on which the bank pays; a bank day, for example 2026-11-30')
    .option('--account <number>', 'the account to pay from; by default the only one, asked for on a terminal')
    .option('--message <text>', 'the message to receivers whose row has none', 'Salary')
    .option('--report <file>', 'where the report is written; by default next to the file, as .report.csv')
    .option('--check', 'only find every error for which the file would not be ordered')
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
