/** Declares the commands of `havn partner` and `havn client`. */
import { Argument, type Command } from 'commander'
import { OVERLAP_DAYS_DEFAULT } from '../../gateway/auth/partner.ts'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption, partnerArgument, runOperatorCommand } from './run-operator-command.ts'

export function addPartnerCommands(group: Command): void {
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

export function addClientCommands(group: Command): void {
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
