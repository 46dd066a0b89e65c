/** What every command for developers has: its options, the examples below its help, and how it runs. Code is loaded when a command runs. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from './context.ts'

/** Alone, or with what it does. */
type Example = string | readonly [command: string, what: string]

/**
 * Declares what every command for developers has: `--json` and `--profile`, the end of its help, and its action, whose
 * errors are printed and set the exit code. `typed` are its arguments, and its options; the `explanation` is printed above
 * the examples.
 */
export function developerCommand<Typed extends readonly unknown[]>(
  command: Command,
  action: (context: Context, ...typed: Typed) => Promise<void>,
  examples: readonly Example[],
  explanation = '',
): Command {
  const lines = examples.map((one) => (typeof one === 'string' ? `  ${one}` : `  # ${one[1]}\n  ${one[0]}`))
  return command
    .option('--json', 'print JSON: one document per result, errors on stderr')
    .option('--profile <name>', 'the profile that havn login has stored; by default that of HAVN_PROFILE')
    .addHelpText('after', `${explanation}\nExamples:\n${lines.join('\n')}`)
    .action(async function (this: Command, ...typed: Typed): Promise<void> {
      const { runInContext } = await import('./context.ts')
      await runInContext(this.opts(), (context) => action(context, ...typed))
    })
}

/** What the sandbox's user does. */
export const simulateOption = () =>
  new Option('--simulate <decision>', 'in a sandbox: let its user decide, without a browser').choices([
    'sign',
    'reject',
  ])

/** How a command finds the consent that it acts under. */
export function withConsentOptions(command: Command): Command {
  return command
    .option(
      '--consent <id>',
      'the consent to act under; by default the newest one that has --account, or the only one, asked for on a terminal',
    )
    .option('--bank <bic>', 'the bank of the consent')
    .option('--company <number>', 'the organisation number of the company that the consent is for')
}

/** Where the credentials are used. */
export const environmentOption = (server: string) =>
  new Option('--environment <name>', `by default sandbox for a ${server} on this machine, else production`).choices([
    'sandbox',
    'production',
  ])

/** Parses the value of an option: a whole number from 1 on. */
export function wholeNumber(value: string, max = Number.POSITIVE_INFINITY): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1 || number > max) {
    const range = max === Number.POSITIVE_INFINITY ? ', 1 or more' : ` from 1 to ${max}`
    throw new InvalidArgumentError(`It must be a whole number${range}.`)
  }
  return number
}
