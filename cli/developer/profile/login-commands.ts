/** Declares `havn login` and `havn logout`. */
import { type Command, Option } from 'commander'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import type { SharedOptions } from '../context.ts'
import { examples } from '../output/examples.ts'
import type { LoginOptions } from './login.ts'

export function declareLogin(command: Command): void {
  withSharedOptions(command)
    .option('--base-url <url>', 'the gateway; by default that of HAVN_URL, or the npm start in this folder')
    .option('--auth-url <url>', 'where tokens are issued, if that is elsewhere')
    .option('--client-id <id>', 'by default that of HAVN_CLIENT_ID; asked for on a terminal')
    .option('--client-secret-stdin', 'read the secret from stdin; by default that of HAVN_CLIENT_SECRET')
    .addOption(
      new Option('--environment <name>', 'by default sandbox for a gateway on this machine, else production').choices([
        'sandbox',
        'production',
      ]),
    )
    .option('--callback-url <url>', 'where users return to from their bank')
    .addHelpText(
      'after',
      examples([
        ['havn login', 'on a terminal, or in the folder of a running npm start'],
        [
          'havn login --profile live --base-url https://havn.example --client-id erp --client-secret-stdin < secret',
          '',
        ],
      ]),
    )
    .action((options: LoginOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => (await import('./login.ts')).login(context, options)),
    )
}

export function declareLogout(command: Command): void {
  withSharedOptions(command)
    .addHelpText('after', examples([['havn logout --profile live', '']]))
    .action((options: SharedOptions) =>
      runDeveloperCommand(options, async (context) => (await import('./login.ts')).logout(context, options)),
    )
}
