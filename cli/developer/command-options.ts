/** What every command for developers has: its options, the examples below its help, and how it runs. Code is loaded when a command runs. */
import { type Command, Option } from 'commander'
import type { Context } from './context.ts'

/** Declares the options that every command for developers has. */
export function withSharedOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON: one document per result, errors on stderr')
    .option('--profile <name>', 'the profile that havn login has stored; by default that of HAVN_PROFILE')
}

/** The action of a command, whose errors are printed and set the exit code; `typed` are its arguments, and its options. */
export function developerAction<Typed extends readonly unknown[]>(
  action: (context: Context, ...typed: Typed) => Promise<void>,
) {
  return async function (this: Command, ...typed: Typed): Promise<void> {
    const { runInContext } = await import('./context.ts')
    await runInContext(this.opts(), (context) => action(context, ...typed))
  }
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

/** Each with what it does; an empty text says nothing. */
export function examples(lines: readonly (readonly [command: string, what: string])[]): string {
  const shown = lines.map(([command, what]) => `  ${what === '' ? '' : `# ${what}\n  `}${command}`)
  return `\nExamples:\n${shown.join('\n')}`
}
