/** Runs an operator command: opens the database, determines the operator's name, and closes the database. */
import { Argument, type Command, Option } from 'commander'
import type { Context } from '../../gateway/context.ts'
import type { Operator } from '../../gateway/operators/operator-task.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import type { TableOptions } from './print-table.ts'

export const partnerArgument = () => new Argument('<partner>', "the partner's name or id")

/** The option of commands that print a table. */
export const jsonOption = () => new Option('--json', 'print JSON: an array with an object for each row')

/** A command that prints a table of the database. */
export function tableCommand(
  group: Command,
  name: string,
  description: string,
  print: (context: ProgramContext, options: TableOptions) => Promise<void>,
): void {
  group
    .command(name)
    .description(description)
    .addOption(jsonOption())
    .action((options: TableOptions) => runOperatorCommand((context) => print(context, options)))
}

/** The command gets the database and the operator's name for the audit log. */
export async function runOperatorCommand(
  carryOut: (context: ProgramContext, actor: string) => Promise<void>,
): Promise<void> {
  const { withOperatorContext } = await import('./operator-context.ts')
  const { findOperator } = await import('./find-operator.ts')
  await withOperatorContext(process.env, async (context) =>
    carryOut(context, (await findOperator(context, process.env)).actor),
  )
}

/** The same with the gateway's settings: its banks, and the master key that decrypts what is stored. */
export async function runGatewayCommand(
  carryOut: (context: Context, operator: Operator) => Promise<void>,
): Promise<void> {
  const { withGatewayContext } = await import('./with-gateway-context.ts')
  const { findOperator } = await import('./find-operator.ts')
  await withGatewayContext(process.env, async (context) => carryOut(context, await findOperator(context, process.env)))
}
