/** `havn payroll`: payrolls in progress; names, accounts and amounts are never printed. */

import type { Command } from 'commander'
import { inspectPayroll, openPayrolls } from '../../gateway/orders/inspect-payrolls.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { factLines, minutesSince, printTable, type TableOptions, tableOf } from './print-table.ts'
import { operatorAction, tableCommand } from './run-operator-command.ts'
import { typedId } from './typed-id.ts'

/** Prints payrolls that are being submitted or cancelled. */
async function printPayrolls({ database, clock }: ProgramContext, options: TableOptions): Promise<void> {
  const payrolls = await openPayrolls(database)
  const rows = payrolls.map((payroll) => [
    ...[
      payroll.id,
      payroll.bic,
      `${payroll.countryCode} ${payroll.organisationNumber}`,
      payroll.submissionMode,
      payroll.state,
    ],
    ...[payroll.transactionCount, payroll.dueDate.toString()],
    minutesSince(payroll.createdAt, clock.now()),
  ])
  const headings = ['payroll', 'bank', 'company', 'submission', 'state', 'transactions', 'due', 'ordered since']
  printTable({ headings, rows, whenEmpty: 'No open payrolls.' }, options)
}

async function printPayroll(context: ProgramContext, id: string): Promise<void> {
  const payrollId = typedId(id, 'a payroll id', 'havn payroll list')
  const { payroll, payouts, orders } = await inspectPayroll(context, payrollId)
  const facts = factLines([
    ['state', payroll.stateText === null ? payroll.state : `${payroll.state}: ${payroll.stateText}`],
    ['status', payroll.status],
    ['partner', payroll.partnerId],
    ['bulk', payroll.bulkId ?? '-'],
    ['bank', payroll.bic],
    ['company', `${payroll.countryCode} ${payroll.organisationNumber}`],
    ['submission', payroll.submissionMode],
    ['due', payroll.dueDate.toString()],
    ['ordered', payroll.createdAt.toString()],
    ['changed', payroll.changedAt.toString()],
    ['next submission', payroll.submitAt?.toString() ?? '-'],
    ['next run', payroll.nextRunAt?.toString() ?? '-'],
    [
      'transactions',
      `${payroll.transactionCount}: ${payouts.map(({ status, count }) => `${count} ${status}`).join(', ')}`,
    ],
  ])
  const rows = orders.map(({ outcome, status, count, some }) => [
    ...[outcome, status, String(count)],
    some.join(' ') + (count > some.length ? ' …' : ''),
  ])
  const table = tableOf(['outcome', 'status', 'orders', 'ids'], rows, 'No orders.')
  console.log([...facts, '', table].join('\n'))
}

export function addPayrollCommands(group: Command): void {
  tableCommand(group, 'list', 'print the payrolls that are not fully submitted, oldest first', printPayrolls)
  group
    .command('show')
    .description('print one payroll: the states of its transactions and orders, without receivers and amounts')
    .argument('<payroll>', "the payroll's id")
    .action(operatorAction(({ context }, id: string) => printPayroll(context, id)))
}
