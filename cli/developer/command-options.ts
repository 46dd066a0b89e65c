/** What every command for developers has: its options, and how it runs. Code is loaded when a command runs. */
import type { Command } from 'commander'
import type { Context, SharedOptions } from './context.ts'

/** Declares the options that every command for developers has. */
export function withSharedOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON: one document per result, errors on stderr')
    .option('--profile <name>', 'the profile that havn login has stored; by default that of HAVN_PROFILE')
}

/** Runs a command: prints its error, and sets the exit code of the process. */
export async function runDeveloperCommand(
  options: SharedOptions,
  carryOut: (context: Context) => Promise<void>,
): Promise<void> {
  const { runInContext } = await import('./context.ts')
  await runInContext(options, carryOut)
}
