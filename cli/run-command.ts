/** Runs one command of `havn`. Code is loaded when its command runs. */
import { Command, CommanderError } from 'commander'
import { addClockCommands } from './commands/clock-commands.ts'
import { addLocalCommands } from './commands/local-commands.ts'
import { addOperatorCommands } from './commands/operator-commands.ts'
import { addRoleCommands } from './commands/role-commands.ts'
import { addDeveloperCommands } from './developer/developer-commands.ts'
import { version } from './developer/version.ts'

/** Prints what went wrong, and sets the exit code of the process. */
export async function runCommand(words: readonly string[]): Promise<void> {
  const program = new Command('havn')
    .description("A gateway between partners' software and the banks of their customers.")
    .version(version, '--version', 'print the version')
    .showHelpAfterError()
    .addHelpText('after', '\nSettings come from environment variables; docs/settings.md lists them.')
    .exitOverride()
  addLocalCommands(program)
  addClockCommands(program.command('clock').description('business time in the sandbox on this machine'))
  addRoleCommands(program)
  addOperatorCommands(program)
  addDeveloperCommands(program)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has printed its help or what is wrong.
      process.exitCode = error.exitCode
    } else {
      console.error(`havn: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
}
