/** Declares the commands of `havn tasks`. */
import type { Command } from 'commander'
import type { TableOptions } from '../operator/print-table.ts'
import type { ResolutionOptions } from '../operator/tasks.ts'
import { jsonOption, runOperatorCommand } from './run-operator-command.ts'

export function addTaskCommands(group: Command): void {
  const tasks = () => import('../operator/tasks.ts')
  group
    .command('list')
    .description('print the open tasks, oldest first')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => (await tasks()).printTasks(context, options)),
    )
  group
    .command('show')
    .description('print one task, its advice and its history')
    .argument('<task>', "the task's id")
    .action((id: string) => runOperatorCommand(async (context) => (await tasks()).printTask(context, id)))
  group
    .command('resolve')
    .description(
      'resolve a task; an unknown order outcome takes two operators, who each prove with HAVN_OPERATOR_TOKEN who they are',
    )
    .argument('<task>', "the task's id")
    .option('--taken <payment>', 'the bank has the order, under this bank payment id')
    .option('--never-taken', 'the bank never received the order')
    .option('--none-taken', 'the bank received none of the orders of this incident, which it answered alike')
    .option('--note <text>', 'what was found and done, for tasks without a decision')
    .action(async (id: string, typed: ResolutionOptions) => {
      const { withGatewayContext } = await import('../operator/with-gateway-context.ts')
      const { findOperator } = await import('../operator/find-operator.ts')
      await withGatewayContext(process.env, async (context) => {
        const operator = await findOperator(context, process.env)
        await (await tasks()).resolveTaskCommand({ context, operator }, id, typed)
      })
    })
}
