/** Declares the commands of `havn console`. */
import { Argument, type Command, Option } from 'commander'
import { CONSOLE_ROLES, type ConsoleRole } from '../../gateway/config/console-roles.ts'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption, runOperatorCommand } from './run-operator-command.ts'

type InviteOptions = { readonly role: readonly ConsoleRole[]; readonly partner?: string; readonly url: string }

const url = () =>
  new Option('--url <url>', 'the address of the gateway').env('HAVN_BASE_URL').default('http://127.0.0.1:8080')
const userArgument = () => new Argument('<user>', 'the name of the user')

/** Users who sign in at an OpenID Connect provider are not managed here. */
export function addConsoleCommands(group: Command): void {
  const users = () => import('../operator/console-users.ts')
  group
    .command('invite')
    .description(
      'print a link with which a user creates a passkey, once within 24 hours; also for a user who lost theirs',
    )
    .addArgument(userArgument())
    .addOption(
      new Option('--role <role...>', 'what the user may do; roles of a partner can be combined')
        .choices(CONSOLE_ROLES)
        .default(['operator-administrator']),
    )
    .option('--partner <partner>', "for roles of a partner: the partner's name or id")
    .addOption(url())
    .action((name: string, options: InviteOptions) =>
      runOperatorCommand(async (context, actor) =>
        (await users()).inviteConsoleUser(context, actor, { name, ...options }),
      ),
    )
  group
    .command('users')
    .description('print the users of the console who sign in with passkeys')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => (await users()).printConsoleUsers(context, options)),
    )
  group
    .command('sessions')
    .description('print the open sessions of all users, also of those who sign in at an identity provider')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => (await users()).printConsoleSessions(context, options)),
    )
  group
    .command('end-sessions')
    .description('end the sessions of a user')
    .argument(
      '<user>',
      'the name or identity of the user, or the id of one session, as printed by `havn console sessions`',
    )
    .action((user: string) =>
      runOperatorCommand(async (context, actor) => (await users()).endConsoleSessions(context, actor, user)),
    )
  group
    .command('disable')
    .description('end the sessions of a user, and delete their passkeys')
    .addArgument(userArgument())
    .action((name: string) =>
      runOperatorCommand(async (context, actor) => (await users()).disableConsoleUser(context, actor, name)),
    )
}
