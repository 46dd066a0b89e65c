/** Declares the operator commands: partners, companies, banks, tasks and keys. */
import { Argument, type Command, Option } from 'commander'
import { OVERLAP_DAYS_DEFAULT } from '../../gateway/auth/partner.ts'
import { commandName, permissionOfCommand } from '../operator/command-permissions.ts'
import type { TableOptions } from '../operator/print-table.ts'
import type { ResolutionOptions } from '../operator/tasks.ts'
import { addAgreementCommands } from './agreement-commands.ts'
import { addBankCommands } from './bank-commands.ts'
import { addCertificateCommands } from './certificate-commands.ts'
import { addCompanyCommands } from './company-commands.ts'
import { addConsentCommands } from './consent-commands.ts'
import { addConsoleCommands } from './console-commands.ts'
import { addDataSetCommands } from './data-set-commands.ts'
import { addDealCommands, addLedgerCommands } from './deal-commands.ts'
import { addOnboardingCommands } from './onboarding-commands.ts'
import { addPayrollCommands } from './payroll-commands.ts'
import { addProviderCommands } from './provider-commands.ts'
import { addAfterRestoreCommand, addReconcileCommand } from './reconcile-command.ts'
import { jsonOption, partnerArgument, runOperatorCommand } from './run-operator-command.ts'
import { addWebhookCommands } from './webhook-commands.ts'

const KEY_FILE = () => new Option('--file <path>', 'the key file').env('HAVN_MASTER_KEY_FILE').makeOptionMandatory()

/** Adds the operator commands to the program. */
export function addOperatorCommands(program: Command): void {
  const others = new Set(program.commands)
  addGroups(program)
  for (const group of program.commands.filter((command) => !others.has(command))) {
    group.hook('preAction', async (_group, command) => await requirePermission(command))
  }
}

/** An operator who proves who they are is permitted on the command line what the console permits. */
async function requirePermission(command: Command): Promise<void> {
  if (process.env['HAVN_OPERATOR_TOKEN']?.trim()) {
    const { withOperatorContext } = await import('../operator/operator-context.ts')
    const { requireOperatorPermission } = await import('../operator/find-operator.ts')
    const permission = permissionOfCommand(commandName(command))
    await withOperatorContext(process.env, (context) => requireOperatorPermission(context, process.env, permission))
  }
}

function addGroups(program: Command): void {
  addPartnerCommands(program.command('partner').description('partners: the clients of the API'))
  addClientCommands(program.command('client').description('credentials of partners, so that old and new ones overlap'))
  addCompanyCommands(
    program.command('company').description('companies that a partner may act for, and their permissions'),
  )
  addConsentCommands(program.command('consent').description("users' consents that expire soon"))
  addAgreementCommands(
    program.command('agreement').description("companies' agreements with banks on files, used as consents"),
  )
  addOnboardingCommands(program.command('onboarding').description('onboardings of companies, and their review'))
  addBankCommands(program.command('bank').description('the directory of banks'))
  addPayrollCommands(program.command('payroll').description('payrolls that are being submitted to banks'))
  addTaskCommands(program.command('tasks').description('tasks that need an operator'))
  addAfterRestoreCommand(
    program.command('after-restore').description('prepare a restored database before a gateway or worker uses it'),
  )
  addReconcileCommand(program.command('reconcile').description('find orders that banks hold and the database has lost'))
  addProviderCommands(program.command('provider').description('the FX provider'))
  addDealCommands(program.command('deal').description('FX deals at the provider, and inbound funds'))
  addLedgerCommands(program.command('ledger').description('the double-entry ledger of FX deals'))
  addWebhookCommands(program.command('webhooks').description('webhook subscriptions, deliveries and replay'))
  addDataSetCommands(program.command('data-set').description('data sets of the sandbox: empty, demo, or with payments'))
  addConsoleCommands(program.command('console').description('users of the console who sign in with passkeys'))
  addCertificateCommands(program.command('certificates').description('our certificates towards banks: QWAC and QSEAL'))
  addKeyCommands(program.command('keys').description('the master keys that encrypt secrets at rest'))
}

function addPartnerCommands(group: Command): void {
  const partners = () => import('../operator/partners.ts')
  group
    .command('create')
    .description('add a partner and print its credentials, once')
    .argument('<name>', 'the name of the partner, for example "Nordkontor"')
    .option(
      '--callback-origin <origin...>',
      'an allowed origin of callback URLs, such as https://erp.example, or a scheme such as myerp:',
      [],
    )
    .action((name: string, { callbackOrigin }: { callbackOrigin: string[] }) =>
      runOperatorCommand(async (context, actor) =>
        (await partners()).addPartner(context, actor, { name, callbackOrigins: callbackOrigin }),
      ),
    )
  group
    .command('list')
    .description('print every partner with the ids of its credentials')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => (await partners()).printPartners(context, options)),
    )
  addPartnerSettingCommands(group)
}

function addPartnerSettingCommands(group: Command): void {
  const partners = () => import('../operator/partners.ts')
  group
    .command('agreement')
    .description('grant or revoke a permission that needs an agreement')
    .addArgument(
      new Argument('<what>', 'bulk payrolls, or registering companies without onboarding').choices([
        'payroll-bulk',
        'ais-registration',
      ]),
    )
    .addArgument(new Argument('<on|off>', 'the new state').choices(['on', 'off']))
    .addArgument(partnerArgument())
    .action((what: string, to: string, partner: string) =>
      runOperatorCommand(async (context, actor) =>
        (await partners()).setAgreement(context, actor, partner, [what, to]),
      ),
    )
  group
    .command('callback-origins')
    .description('replace the allowed callback origins and schemes of a partner')
    .addArgument(partnerArgument())
    .argument('[origin...]', 'all of them, for example https://erp.example myerp:')
    .action((partner: string, origins: string[]) =>
      runOperatorCommand(async (context, actor) =>
        (await partners()).setCallbackOrigins(context, actor, partner, origins),
      ),
    )
  group
    .command('disable')
    .description('disable a partner permanently')
    .addArgument(partnerArgument())
    .action((partner: string) =>
      runOperatorCommand(async (context, actor) => (await partners()).disablePartner(context, actor, partner)),
    )
}

function addClientCommands(group: Command): void {
  const partners = () => import('../operator/partners.ts')
  group
    .command('create')
    .description('add credentials to a partner and print them, once')
    .addArgument(partnerArgument())
    .action((partner: string) =>
      runOperatorCommand(async (context, actor) => (await partners()).addClient(context, actor, partner)),
    )
  group
    .command('payroll')
    .description('grant or revoke the payroll permission of a set of credentials')
    .addArgument(new Argument('<on|off>', 'the new state').choices(['on', 'off']))
    .argument('<client-id>', 'as printed by `havn partner list`')
    .action((to: string, clientId: string) =>
      runOperatorCommand(async (context, actor) =>
        (await partners()).setPayrollPermission(context, actor, clientId, to),
      ),
    )
  group
    .command('rotate')
    .description('create a new secret; the former one stays valid for some days')
    .option('--overlap-days <days>', 'how long the former secret stays valid', String(OVERLAP_DAYS_DEFAULT))
    .argument('<client-id>', 'as printed by `havn partner list`')
    .action((clientId: string, { overlapDays }: { overlapDays: string }) =>
      runOperatorCommand(async (context, actor) =>
        (await partners()).rotateSecret(context, actor, clientId, overlapDays),
      ),
    )
  group
    .command('revoke-former')
    .description('revoke the former secret of a set of credentials, with the tokens issued for it')
    .argument('<client-id>', 'as printed by `havn partner list`')
    .action((clientId: string) =>
      runOperatorCommand(async (context, actor) => (await partners()).revokeFormer(context, actor, clientId)),
    )
  group
    .command('disable')
    .description('disable a set of credentials permanently')
    .argument('<client-id>', 'as printed by `havn partner list`')
    .action((clientId: string) =>
      runOperatorCommand(async (context, actor) => (await partners()).disableClient(context, actor, clientId)),
    )
}

function addTaskCommands(group: Command): void {
  const tasks = () => import('../operator/tasks.ts')
  group
    .command('list')
    .description('print the open tasks, oldest first')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => (await tasks()).printTasks(context, options)),
    )
  group
    .command('show')
    .description('print one task, its advice and its history')
    .argument('<task>', "the task's id")
    .action((id: string) => runOperatorCommand(async (context) => (await tasks()).printTask(context, id)))
  group
    .command('resolve')
    .description(
      'resolve a task; an unknown order outcome takes two operators, who each prove with HAVN_OPERATOR_TOKEN who they are',
    )
    .argument('<task>', "the task's id")
    .option('--taken <payment>', 'the bank has the order, under this bank payment id')
    .option('--never-taken', 'the bank never received the order')
    .option('--none-taken', 'the bank received none of the orders of this incident, which it answered alike')
    .option('--note <text>', 'what was found and done, for tasks without a decision')
    .action(async (id: string, typed: ResolutionOptions) => {
      const { withGatewayContext } = await import('../operator/with-gateway-context.ts')
      const { findOperator } = await import('../operator/find-operator.ts')
      await withGatewayContext(process.env, async (context) => {
        const operator = await findOperator(context, process.env)
        await (await tasks()).resolveTaskCommand({ context, operator }, id, typed)
      })
    })
}

function addKeyCommands(group: Command): void {
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
