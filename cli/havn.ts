/** The command line `havn`: local commands, roles for production, and operators' commands; code is loaded on demand. */
import { Command } from 'commander'
import { addClockCommands } from './commands/clock-commands.ts'
import { addLocalCommands } from './commands/local-commands.ts'
import { addOperatorCommands } from './commands/operator-commands.ts'
import { addRoleCommands } from './commands/role-commands.ts'

const program = new Command('havn')
  .description("A gateway between partners' software and the banks of their customers.")
  .showHelpAfterError()
  .addHelpText('after', '\nSettings come from environment variables; docs/settings.md lists them.')

addLocalCommands(program)
addClockCommands(program.command('clock').description('business time in the sandbox on this machine'))
addRoleCommands(program)
addOperatorCommands(program)

try {
  await program.parseAsync()
} catch (error) {
  console.error(`havn: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
