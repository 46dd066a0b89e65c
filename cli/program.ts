/** Declares all commands of `havn`. Code is loaded when a command runs. */
import { Command } from 'commander'
import { addClockCommands } from './commands/clock-commands.ts'
import { addLocalCommands } from './commands/local-commands.ts'
import { addOperatorCommands } from './commands/operator-commands.ts'
import { addRoleCommands } from './commands/role-commands.ts'
import { addCompletionCommand } from './completion/completion-command.ts'
import { addDeveloperCommands } from './developer/developer-commands.ts'
import { version } from './developer/version.ts'
import { addDoctorCommand } from './doctor/doctor-command.ts'

export function havnProgram(): Command {
  const program = new Command('havn')
    .description("A gateway between partners' software and the banks of their customers.")
    .version(version, '--version', 'print the version')
    .showHelpAfterError()
    .addHelpText(
      'after',
      '\nSettings come from environment variables; docs/settings.md lists them. docs/command-line.md describes the commands\n' +
        "for a partner's developers and the exit codes.",
    )
    .exitOverride()
  addLocalCommands(program)
  addClockCommands(program.command('clock').description('business time in the sandbox on this machine'))
  addRoleCommands(program)
  addOperatorCommands(program)
  addDoctorCommand(program)
  addDeveloperCommands(program)
  addCompletionCommand(program)
  return program
}
