/** `havn payroll pay`: validates a file of salaries, orders them as one payroll, has it approved, and reports on each. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { CommandError } from '../command-error.ts'
import { type AccountOptions, chooseAccount } from '../consents/choose-account.ts'
import type { Connection, Context } from '../context.ts'
import { progressBar } from '../output/progress-bar.ts'
import { scaLink } from '../output/sca-link.ts'
import { waitUntil } from '../output/wait-until.ts'
import { type SimulatedDecision, simulateApproval } from '../payments/approve.ts'
import { checkSalaries } from './check-salaries.ts'
import { decodeSalaries } from './decode-salaries.ts'
import { identifySalaries } from './identify-salaries.ts'
import { fileError, LINES_PRINTED_MAX, orderOf, orderOnce } from './order-salaries.ts'
import { readSalaries } from './read-salaries.ts'
import { type OrderedPayroll, reportOf, type SalaryReport, writeReport } from './salary-report.ts'

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
  const { dueDate } = options
  const { rows, digest } = identifySalaries(salaries.rows, dueDate)
  const connection = await context.connect()
  const { consent, account } = await chooseAccount(context, connection, options, 'PAYROLL')
  const order = await orderOf(connection, account, { rows, digest, dueDate })
  const payroll = await orderOnce(context, connection, { order, rows, file, consentId: consent.id })
  const approval = await approveIfUnsigned(context, connection, { payroll, consentId: consent.id }, options)
  const last = await followPayroll(context, connection, payroll, options.follow === true)
  const reportFile = options.report ?? `${file.slice(0, file.length - extname(file).length)}.report.csv`
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
