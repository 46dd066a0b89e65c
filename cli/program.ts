/** Builds the command line `havn` from the table of commands. */
import { Command } from 'commander'
import release from '../package.json' with { type: 'json' }
import { COMMANDS, type CommandEntry, FOR_ALL } from './command-table.ts'

/**
 * All commands, each with its options. With the `words` that were typed, a command that they do not name has its
 * summary only: to declare every command takes longer than most commands.
 */
export async function havnProgram(words?: readonly string[]): Promise<Command> {
  const program = new Command('havn')
    .description("A gateway between partners' software and the banks of their customers.")
    .version(release.version, '--version', 'print the version')
    .helpCommand('help [command]', 'print the help of a command')
    .commandsGroup(`${FOR_ALL}:`)
    .showHelpAfterError('Add --help to see the arguments and options.')
    .addHelpText(
      'after',
      '\nSettings come from environment variables; docs/settings.md lists them. docs/command-line.md describes the commands\n' +
        "for a partner's developers and the exit codes.",
    )
    .exitOverride()
  // A completion has the options of all commands.
  const areAllDeclared = words === undefined || words.includes('completion')
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    for (const [name, entry] of Object.entries(commands)) {
      const command = program.command(name).description(entry.summary).helpGroup(`${heading}:`)
      if (areAllDeclared || words.includes(name)) {
        await declare(command, entry)
      }
    }
  }
  return program
}

async function declare(command: Command, { declare: forAll, declareForOperators }: CommandEntry): Promise<void> {
  ;(await forAll?.())?.(command)
  const ofOthers = new Set(command.commands)
  ;(await declareForOperators?.())?.(command)
  if (declareForOperators !== undefined) {
    const added = command.commands.filter((part) => !ofOthers.has(part))
    for (const one of added.length === 0 ? [command] : added) {
      one.hook('preAction', async (_hooked, run) => await requireOperatorPermissionFor(run))
    }
  }
}

/** The console permits the same. Only an operator who proves who they are has permissions; others have access to the machine. */
async function requireOperatorPermissionFor(command: Command): Promise<void> {
  if (process.env['HAVN_OPERATOR_TOKEN']?.trim()) {
    const { commandName, permissionOfCommand } = await import('./operator/command-permissions.ts')
    const { withOperatorContext } = await import('./operator/operator-context.ts')
    const { requireOperatorPermission } = await import('./operator/find-operator.ts')
    const permission = permissionOfCommand(commandName(command))
    await withOperatorContext(process.env, (context) => requireOperatorPermission(context, process.env, permission))
  }
}
