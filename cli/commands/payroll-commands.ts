/** Declares `havn payroll`: what operators see of payrolls on their way to banks. */
import type { Command } from 'commander'
import { operate } from './operate.ts'

/** Adds the commands to their group. */
export function addPayrollCommands(group: Command): void {
  const payrolls = () => import('../operator/payrolls.ts')
  group
    .command('list')
    .description('print the payrolls that are not at their bank as a whole, oldest first')
    .action(() => operate(async (context) => (await payrolls()).printPayrolls(context)))
  group
    .command('show')
    .description('print one payroll: how its payouts and its orders at the bank do, never what is paid to whom')
    .argument('<payroll>', "the payroll's id")
    .action((id: string) => operate(async (context) => (await payrolls()).printPayroll(context, id)))
}
