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
    .action(operatorAction(async ({ context }, options: TableOptions) => await print(context, options)))
}

/** Who gives a command, with their name for the audit log. */
type Given = { readonly operator: Operator; readonly actor: string }

/** The action of a command that works on the database; `typed` are its arguments, and its options. */
export function operatorAction<Typed extends readonly unknown[]>(
  action: (given: Given & { readonly context: ProgramContext }, ...typed: Typed) => Promise<void>,
) {
  return async (...typed: Typed): Promise<void> => {
    const { withOperatorContext } = await import('./operator-context.ts')
    await withOperatorContext(process.env, async (context) =>
      action({ context, ...(await givenBy(context)) }, ...typed),
    )
  }
}

/** The same with the gateway's settings: its banks, and the master key that decrypts what is stored. */
export function gatewayAction<Typed extends readonly unknown[]>(
  action: (given: Given & { readonly context: Context }, ...typed: Typed) => Promise<void>,
) {
  return async (...typed: Typed): Promise<void> => {
    const { withGatewayContext } = await import('./with-gateway-context.ts')
    await withGatewayContext(process.env, async (context) => action({ context, ...(await givenBy(context)) }, ...typed))
  }
}

async function givenBy(context: ProgramContext): Promise<Given> {
  const { findOperator } = await import('./find-operator.ts')
  const operator = await findOperator(context, process.env)
  return { operator, actor: operator.actor }
}
