/** Runs an operator command: opens the database, determines the operator's name, and closes the database. */
import { Argument, type Command, Option } from 'commander'
import type { Context } from '../../gateway/context.ts'
import type { Operator } from '../../gateway/operators/operator-task.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { printTable, type Table } from './print-table.ts'

export const partnerArgument = () => new Argument('<partner>', "the partner's name or id")

/** The option of commands that print a table. */
export const jsonOption = () => new Option('--json', 'print JSON: an array with an object for each row')

/** What the action of a command gets: the context, and who gives the command, with their name for the audit log. */
export type Given = {
  readonly context: ProgramContext
  readonly operator: Operator
  readonly actor: string
}

/** What the action of a command gets that works with the gateway's settings. */
export type GatewayGiven = Given & { readonly context: Context }

/** Makes a command that has its other options print a table of the database. */
export function tableCommand<Typed extends readonly unknown[]>(
  command: Command,
  table: (given: Given, ...typed: Typed) => Promise<Table>,
): void {
  command
    .addOption(jsonOption())
    .action(operatorAction(async (given, ...typed: Typed) => printTable(await table(given, ...typed), command.opts())))
}

/** The action of a command that works on the database; `typed` are its arguments, and its options. */
export function operatorAction<Typed extends readonly unknown[]>(
  action: (given: Given, ...typed: Typed) => Promise<void>,
) {
  return async (...typed: Typed): Promise<void> => {
    const { withOperatorContext } = await import('./operator-context.ts')
    await withOperatorContext(process.env, async (context) =>
      action({ context, ...(await operatorOf(context)) }, ...typed),
    )
  }
}

/** The same with the gateway's settings: its banks, and the master key that decrypts what is stored. */
export function gatewayAction<Typed extends readonly unknown[]>(
  action: (given: GatewayGiven, ...typed: Typed) => Promise<void>,
) {
  return async (...typed: Typed): Promise<void> => {
    const { withGatewayContext } = await import('./operator-context.ts')
    await withGatewayContext(process.env, async (context) =>
      action({ context, ...(await operatorOf(context)) }, ...typed),
    )
  }
}

async function operatorOf(context: ProgramContext): Promise<Pick<Given, 'operator' | 'actor'>> {
  const { findOperator } = await import('./find-operator.ts')
  const operator = await findOperator(context, process.env)
  return { operator, actor: operator.actor }
}
