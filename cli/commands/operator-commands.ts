/** Declares what operators do: partners, companies, banks, tasks and keys. */
import { Argument, type Command, Option } from 'commander'
import type { TypedResolution } from '../operator/tasks.ts'
import { addAgreementCommands } from './agreement-commands.ts'
import { addBankCommands } from './bank-commands.ts'
import { addCertificateCommands } from './certificate-commands.ts'
import { addCompanyCommands } from './company-commands.ts'
import { addConsentCommands } from './consent-commands.ts'
import { addDealCommands, addLedgerCommands } from './deal-commands.ts'
import { addOnboardingCommands } from './onboarding-commands.ts'
import { operate, PARTNER } from './operate.ts'
import { addPayrollCommands } from './payroll-commands.ts'
import { addProviderCommands } from './provider-commands.ts'
import { addWebhookCommands } from './webhook-commands.ts'

const KEY_FILE = () => new Option('--file <path>', 'the key file').env('HAVN_MASTER_KEY_FILE').makeOptionMandatory()

/** Adds them to the program. */
export function addOperatorCommands(program: Command): void {
  addPartnerCommands(program.command('partner').description('partners: whoever may call the interface'))
  addClientCommands(program.command('client').description('credentials of partners, so that old and new ones overlap'))
  addCompanyCommands(
    program.command('company').description('companies that a partner may act for, and what each of them may do'),
  )
  addConsentCommands(program.command('consent').description("users' consents: which of them end soon"))
  addAgreementCommands(
    program.command('agreement').description("companies' agreements with banks on files, which stand in for consents"),
  )
  addOnboardingCommands(
    program.command('onboarding').description('companies on their way in, and what you decide about them'),
  )
  addBankCommands(program.command('bank').description('the directory of banks'))
  addPayrollCommands(program.command('payroll').description('payrolls on their way to banks'))
  addTaskCommands(program.command('tasks').description('what waits for a person'))
  addProviderCommands(program.command('provider').description('the provider of exchange: whoever changes money'))
  addDealCommands(program.command('deal').description('exchanges at the provider, and money that arrived there'))
  addLedgerCommands(program.command('ledger').description('the double-entry ledger of exchanges'))
  addWebhookCommands(
    program.command('webhooks').description('what partners are told by webhooks, and telling it again'),
  )
  addCertificateCommands(program.command('certificates').description('what banks know us by: QWAC and QSEAL'))
  addKeyCommands(program.command('keys').description('the master keys that seal secrets at rest'))
}

function addPartnerCommands(group: Command): void {
  const partners = () => import('../operator/partners.ts')
  group
    .command('create')
    .description('add a partner and print its credentials, once')
    .argument('<name>', 'what the partner is called, for example "Nordkontor"')
    .option(
      '--callback-origin <origin...>',
      'where users may be sent back to: an origin such as https://erp.example, or a scheme such as myerp:',
      [],
    )
    .action((name: string, { callbackOrigin }: { callbackOrigin: string[] }) =>
      operate(async (context, actor) =>
        (await partners()).addPartner(context, actor, { name, callbackOrigins: callbackOrigin }),
      ),
    )
  group
    .command('list')
    .description('print every partner with the ids of its credentials')
    .action(() => operate(async (context) => (await partners()).printPartners(context)))
  group
    .command('agreement')
    .description('note that a partner may do what needs an agreement, or may not any more')
    .addArgument(
      new Argument('<what>', 'bulk payrolls, or registering companies without onboarding').choices([
        'payroll-bulk',
        'ais-registration',
      ]),
    )
    .addArgument(new Argument('<on|off>', 'what it is to be').choices(['on', 'off']))
    .addArgument(PARTNER())
    .action((what: string, to: string, partner: string) =>
      operate(async (context, actor) => (await partners()).setAgreement(context, actor, partner, [what, to])),
    )
  group
    .command('callback-origins')
    .description('replace the origins and schemes that users of a partner may be sent back to')
    .addArgument(PARTNER())
    .argument('[origin...]', 'all of them, for example https://erp.example myerp:')
    .action((partner: string, origins: string[]) =>
      operate(async (context, actor) => (await partners()).setCallbackOrigins(context, actor, partner, origins)),
    )
  group
    .command('disable')
    .description('shut a partner out for good')
    .addArgument(PARTNER())
    .action((partner: string) =>
      operate(async (context, actor) => (await partners()).disablePartner(context, actor, partner)),
    )
}

function addClientCommands(group: Command): void {
  const partners = () => import('../operator/partners.ts')
  group
    .command('create')
    .description('add credentials to a partner and print them, once')
    .addArgument(PARTNER())
    .action((partner: string) =>
      operate(async (context, actor) => (await partners()).addClient(context, actor, partner)),
    )
  group
    .command('payroll')
    .description('let one set of credentials order and read payrolls, or not any more')
    .addArgument(new Argument('<on|off>', 'what it is to be').choices(['on', 'off']))
    .argument('<client-id>', 'as `havn partner list` prints it')
    .action((to: string, clientId: string) =>
      operate(async (context, actor) => (await partners()).setPayrollPermission(context, actor, clientId, to)),
    )
  group
    .command('disable')
    .description('shut one set of credentials out for good')
    .argument('<client-id>', 'as `havn partner list` prints it')
    .action((clientId: string) =>
      operate(async (context, actor) => (await partners()).disableClient(context, actor, clientId)),
    )
}

function addTaskCommands(group: Command): void {
  const tasks = () => import('../operator/tasks.ts')
  group
    .command('list')
    .description('print the open tasks, oldest first')
    .action(() => operate(async (context) => (await tasks()).printTasks(context)))
  group
    .command('show')
    .description('print one task, what to do about it, and what was done')
    .argument('<task>', "the task's id")
    .action((id: string) => operate(async (context) => (await tasks()).printTask(context, id)))
  group
    .command('resolve')
    .description('close a task; where money is unknown, a second person must say the same')
    .argument('<task>', "the task's id")
    .option('--as <name>', 'who you are; HAVN_OPERATOR or the system user otherwise')
    .option('--taken <payment>', 'the bank holds the order, under this id of its own')
    .option('--never-taken', 'the bank never took the order')
    .option('--note <text>', 'what was found and done, for tasks that decide nothing')
    .action(async (id: string, { as, ...typed }: TypedResolution & { as?: string }) => {
      const { withContext } = await import('../operator/with-gateway-context.ts')
      const { operatorName } = await import('../operator/operator-name.ts')
      const operator = as?.trim() || operatorName(process.env)
      await withContext(process.env, async (context) =>
        (await tasks()).resolveTypedTask({ context, operator }, id, typed),
      )
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
    .description('put a new key before the others of a key file')
    .addOption(KEY_FILE())
    .action(async ({ file }: { file: string }) => (await keys()).rotateKeyFile(file))
  group
    .command('reseal')
    .description('move everything that is sealed in the database to the newest key of a key file')
    .addOption(KEY_FILE())
    .action(({ file }: { file: string }) =>
      operate(async (context, actor) => (await keys()).resealDatabase(context, actor, file)),
    )
  group
    .command('rotate-token')
    .description('make a new key for signing access tokens; the tokens of the older one stay good until they expire')
    .addOption(KEY_FILE())
    .action(({ file }: { file: string }) =>
      operate(async (context, actor) => (await keys()).rotateTokenSigning(context, actor, file)),
    )
  group
    .command('disable-token')
    .description('refuse every access token that a key has signed, within five seconds')
    .argument('<kid>', "the key's id, as {auth_url}/.well-known/jwks.json shows it")
    .addOption(KEY_FILE())
    .action((kid: string, { file }: { file: string }) =>
      operate(async (context, actor) => (await keys()).disableTokenSigning(context, actor, { file, kid })),
    )
}
