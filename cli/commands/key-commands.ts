/** Declares the commands of `havn keys`. */
import { type Command, Option } from 'commander'
import { runOperatorCommand } from './run-operator-command.ts'

const KEY_FILE = () => new Option('--file <path>', 'the key file').env('HAVN_MASTER_KEY_FILE').makeOptionMandatory()

export function addKeyCommands(group: Command): void {
  const keys = () => import('../operator/keys.ts')
  group
    .command('create')
    .description('write a key file with a new key')
    .addOption(KEY_FILE())
    .action(async ({ file }: { file: string }) => (await keys()).createKeyFile(file))
  group
    .command('rotate')
    .description('add a new first key to a key file')
    .addOption(KEY_FILE())
    .action(async ({ file }: { file: string }) => (await keys()).rotateKeyFile(file))
  group
    .command('reseal')
    .description('re-encrypt all secrets of the database with the newest key of a key file')
    .addOption(KEY_FILE())
    .action(({ file }: { file: string }) =>
      runOperatorCommand(async (context, actor) => (await keys()).resealDatabase(context, actor, file)),
    )
  group
    .command('rotate-token')
    .description('create a new key for signing access tokens; tokens of the older key stay valid until they expire')
    .addOption(KEY_FILE())
    .action(({ file }: { file: string }) =>
      runOperatorCommand(async (context, actor) => (await keys()).rotateTokenSigning(context, actor, file)),
    )
  group
    .command('disable-token')
    .description('reject every access token signed by a key, within five seconds')
    .argument('<kid>', "the key's id, as in {auth_url}/.well-known/jwks.json")
    .addOption(KEY_FILE())
    .action((kid: string, { file }: { file: string }) =>
      runOperatorCommand(async (context, actor) => (await keys()).disableTokenSigning(context, actor, { file, kid })),
    )
}
