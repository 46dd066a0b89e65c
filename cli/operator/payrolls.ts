/** `havn payroll`: payrolls in progress; names, accounts and amounts are never printed. */

import type { Command } from 'commander'
import { inspectPayroll, listOpenPayrolls } from '../../gateway/orders/views/inspect-payrolls.ts'
import { factLines, minutesSince, type Table, tableOf } from './print-table.ts'
import { type Given, operatorAction, tableCommand } from './run-operator-command.ts'
import { typedId } from './typed-values.ts'

/** Payrolls that are being submitted or cancelled. */
async function payrollTable({ context: { database, clock } }: Given): Promise<Table> {
  const rows = (await listOpenPayrolls(database)).map((payroll) => ({
    payroll: payroll.id,
    bank: payroll.bic,
    company: `${payroll.countryCode} ${payroll.organisationNumber}`,
    submission: payroll.submissionMode,
    state: payroll.state,
    transactions: payroll.transactionCount,
    due: payroll.dueDate.toString(),
    'ordered since': minutesSince(payroll.createdAt, clock.now()),
  }))
  return { rows, whenEmpty: 'No open payrolls.' }
}

async function printPayroll({ context }: Given, id: string): Promise<void> {
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
  const rows = orders.map(({ outcome, status, count, some }) => ({
    outcome,
    status,
    orders: count,
    ids: some.join(' ') + (count > some.length ? ' …' : ''),
  }))
  console.log([...facts, '', tableOf({ rows, whenEmpty: 'No orders.' })].join('\n'))
}

export function addPayrollCommands(group: Command): void {
  const description = 'print the payrolls that are not fully submitted, oldest first'
  tableCommand(group.command('list').description(description), payrollTable)
  group
    .command('show')
    .description('print one payroll: the states of its transactions and orders, without receivers and amounts')
    .argument('<payroll>', "the payroll's id")
    .action(operatorAction(printPayroll))
}
