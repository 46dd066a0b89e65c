/** `havn payroll pay`: validates a file of salaries, orders them as one payroll, has it approved, and reports on each. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { developerCommand, simulateOption, withConsentOptions } from '../command-options.ts'
import { type AccountOptions, chooseAccount } from '../consents/choose-account.ts'
import type { Connection, Context } from '../context.ts'
import { progressBar, scaLink } from '../output/output.ts'
import { waitUntil } from '../output/wait-until.ts'
import { type SimulatedDecision, simulateApproval } from '../payments/approve.ts'
import { checkSalaries } from './check-salaries.ts'
import { identifySalaries } from './identify-salaries.ts'
import { fileError, LINES_PRINTED_MAX, orderOf, orderOnce } from './order-salaries.ts'
import { decodeSalaries, readSalaries } from './read-salaries.ts'
import { type OrderedPayroll, reportOf, requireReportPlace, type SalaryReport, writeReport } from './salary-report.ts'

export type PaySalariesOptions = AccountOptions & {
  readonly dueDate: string
  readonly message: string
  readonly report?: string
  readonly check?: boolean
  readonly follow?: boolean
  readonly simulate?: SimulatedDecision
  readonly user?: string
  readonly callbackUrl?: string
}

const SUCCESSFUL = 'Completed'

export async function paySalaries(context: Context, file: string, options: PaySalariesOptions): Promise<void> {
  const { output } = context
  const { text, encoding } = decodeSalaries(await readFile(file))
  if (encoding === 'Windows-1252') {
    output.note(`${file} is not UTF-8: it is read as Windows-1252`)
  }
  const salaries = readSalaries(text, options.message)
  if (options.check === true) {
    await checkSalaries(context, { ...salaries, file, encoding }, options)
    return
  }
  if (salaries.errors.length > 0) {
    throw fileError(file, salaries.errors, 'Nothing was sent')
  }
  const reportFile = options.report ?? `${file.slice(0, file.length - extname(file).length)}.report.csv`
  await requireReportPlace(reportFile, file)
  const { dueDate } = options
  const { rows, digest } = identifySalaries(salaries.rows, dueDate)
  const connection = await context.connect()
  const { consent, account } = await chooseAccount(context, connection, options, 'PAYROLL')
  const order = await orderOf(connection, account, { rows, digest, dueDate })
  const payroll = await orderOnce(context, connection, { order, rows, file, consentId: consent.id })
  const approval = await approveIfUnsigned(context, connection, { payroll, consentId: consent.id }, options)
  const last = await followPayroll(context, connection, payroll, options.follow === true)
  const report = reportOf(rows, last, account.currency)
  await writeReport(reportFile, report)
  output.result({ ...report, file: reportFile, approval }, summaryOf(report, { reportFile, file, approval }))
  requireSuccess(report)
}

type Approval = { readonly id: string; readonly link: string; readonly outcome?: string | null }

/** Starts the approval of a payroll that waits for one. */
async function approveIfUnsigned(
  context: Context,
  connection: Connection,
  {
    payroll: { payrollId },
    consentId,
  }: { readonly payroll: { readonly payrollId: string }; readonly consentId: string },
  options: PaySalariesOptions,
): Promise<Approval | undefined> {
  const { havn, psu } = connection
  const { currentPayrollStatus } = await havn.getPayrollStatus({ params: { payrollId } })
  if (currentPayrollStatus !== 'Unsigned') {
    return undefined
  }
  const body = { payrolls: [payrollId], callbackUrl: options.callbackUrl ?? connection.callbackUrl }
  const { id, sca } = await havn.approvePayrolls({ consentId, psu, body })
  const link = scaLink(sca)
  if (options.simulate === undefined) {
    context.output.note(`Approval ${id}\n${link}`)
    return { id, link }
  }
  const { outcome } = await simulateApproval(connection, id, { ...options, simulate: options.simulate })
  return { id, link, outcome }
}

/** The payroll as it is, or with `isFollowed` when all its statuses are final. */
async function followPayroll(
  { output, signal }: Context,
  { havn }: Connection,
  { payrollId }: { readonly payrollId: string },
  isFollowed: boolean,
): Promise<OrderedPayroll> {
  return await waitUntil(
    async () => {
      const payroll = await havn.getPayrollStatus({ params: { payrollId } })
      const done = payroll.transactions.filter(({ payrollStatus }) => payrollStatus === SUCCESSFUL)
      output.progress(
        progressBar(done.length, payroll.transactions.length, `paid; the payroll is ${payroll.currentPayrollStatus}`),
      )
      return payroll
    },
    ({ finalStatus }) => finalStatus || !isFollowed,
    signal,
  )
}

function summaryOf(
  { payrollId, status, counts, transactions }: SalaryReport,
  {
    reportFile,
    file,
    approval,
  }: { readonly reportFile: string; readonly file: string; readonly approval: Approval | undefined },
): string {
  const counted = Object.entries(counts).map(([name, count]) => `  ${name.padEnd(24)}${count}`)
  const failed = transactions
    .filter((transaction) => transaction.status === 'Rejected' || transaction.status === 'Cancelled')
    .slice(0, LINES_PRINTED_MAX)
    .map(({ line, endToEndId, status: value, reason, text }) =>
      [`${basename(file)}:${line}:`, endToEndId, value, reason, text].filter(Boolean).join(' '),
    )
  const next =
    status === 'Unsigned' && approval !== undefined
      ? [`${approval.link}\nNext: havn status ${payrollId} --follow, or this command again: it resumes`]
      : []
  return [`Payroll ${payrollId} is ${status}`, ...counted, ...failed, `Report: ${reportFile}`, ...next].join('\n')
}

function requireSuccess({ payrollId, isFinal, outcomeUnknown, counts }: SalaryReport): void {
  if (outcomeUnknown) {
    const message = `The outcome of payroll ${payrollId} is unknown: the bank may or may not have it. Do not order it again`
    throw new CommandError('unavailable', message, { next: `havn status ${payrollId}` })
  }
  const failed = (counts['Rejected'] ?? 0) + (counts['Cancelled'] ?? 0)
  if (isFinal && failed > 0) {
    throw new CommandError('unsuccessful', `${failed} salaries of payroll ${payrollId} were not paid`)
  }
}

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
encoding, with other separators, another order of columns or rows, or accounts in another printed form: repeating the
command orders nothing again, and goes on where it was. The report has the status of each line.

--check validates the file with the gateway, as an order is validated, and orders nothing: it needs a consent and prints
every error with its line and column, what keeps the company or the bank from paying at present, or the number of salaries
and their total. It cannot know what the bank alone decides when it has the order, and what changes until then.
`

export function addPayrollCommands(group: Command): void {
  const examples = [
    'havn payroll pay salaries.csv --due-date 2026-11-30 --check',
    'havn payroll pay salaries.csv --due-date 2026-11-30 --account 80501100017 --follow',
  ]
  withConsentOptions(developerCommand(group.command('pay'), paySalaries, examples, FILE_HELP))
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
}
