/** Declares the commands of `havn payroll`, for payrolls that are being submitted to banks. */
import type { Command } from 'commander'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption, runOperatorCommand } from './run-operator-command.ts'

export function addPayrollCommands(group: Command): void {
  const payrolls = () => import('../operator/payrolls.ts')
  group
    .command('list')
    .description('print the payrolls that are not fully submitted, oldest first')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => (await payrolls()).printPayrolls(context, options)),
    )
  group
    .command('show')
    .description('print one payroll: the states of its transactions and orders, without receivers and amounts')
    .argument('<payroll>', "the payroll's id")
    .action((id: string) => runOperatorCommand(async (context) => (await payrolls()).printPayroll(context, id)))
}
