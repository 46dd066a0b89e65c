/** `havn partner` and `havn client`: partners, their credentials and their permissions. */

import { Argument, type Command } from 'commander'
import { replaceCallbackOrigins } from '../../gateway/auth/callback-origin.ts'
import {
  changeClientPermission,
  changePartnerPermission,
  type PartnerPermission,
} from '../../gateway/auth/client-permissions.ts'
import { createClient, createPartner } from '../../gateway/auth/create-partner.ts'
import { listPartnersWithClients, requirePartner } from '../../gateway/auth/list-partners.ts'
import { revokeClientAccess, revokePartnerAccess } from '../../gateway/auth/revoke-partner-access.ts'
import { revokeFormerSecret, rotateClientSecret } from '../../gateway/auth/rotate-client-secret.ts'
import { type Client, OVERLAP_DAYS_DEFAULT } from '../../gateway/partners/partner.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { printTable, type TableOptions } from './print-table.ts'
import { partnerArgument, runOperatorCommand, tableCommand } from './run-operator-command.ts'

type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Creates a partner; its secret is printed only once. */
export async function addPartner(
  context: ProgramContext,
  actor: string,
  wanted: { readonly name: string; readonly callbackOrigins: readonly string[] },
): Promise<void> {
  const { partner, credentials } = await createPartner(context, actor, wanted)
  console.log(`Created the partner ${partner.name} (${partner.id}).`)
  printCredentials(credentials)
}

/** Creates further credentials for a partner. */
export async function addClient(context: ProgramContext, actor: string, nameOrId: string): Promise<void> {
  const partner = await requirePartner(context, nameOrId)
  printCredentials(await createClient(context, actor, partner))
}

/** Prints every partner with its client ids. */
export async function printPartners(context: ProgramContext, options: TableOptions): Promise<void> {
  const partners = await listPartnersWithClients(context)
  const rows = partners.map(({ partner, clients }) => [
    partner.name,
    partner.id,
    partner.disabledAt === null ? 'enabled' : 'disabled',
    { value: clients.map(({ clientId }) => clientId), shown: clients.map(describeClient).join(', ') },
    partner.callbackOrigins,
    [...(partner.payrollBulk ? ['payroll-bulk'] : []), ...(partner.aisRegistration ? ['ais-registration'] : [])],
  ])
  const headings = ['name', 'id', 'state', 'clients', 'callback origins', 'agreements']
  printTable({ headings, rows, whenEmpty: 'No partners; havn partner create creates one.' }, options)
}

function describeClient({ clientId, payroll, disabledAt }: Client): string {
  const properties = [...(payroll ? ['payroll'] : []), ...(disabledAt === null ? [] : ['disabled'])]
  return properties.length === 0 ? clientId : `${clientId} (${properties.join(', ')})`
}

const AGREEMENTS: Readonly<Record<string, PartnerPermission>> = {
  'payroll-bulk': 'payrollBulk',
  'ais-registration': 'aisRegistration',
}

/** Records or removes an agreement with a partner. */
export async function setAgreement(
  context: ProgramContext,
  actor: string,
  nameOrId: string,
  [what, to]: readonly [what: string, to: string],
): Promise<void> {
  const flag = AGREEMENTS[what]
  if (flag === undefined) {
    throw new Error(`There is no agreement called ${what}`)
  }
  const partner = await requirePartner(context, nameOrId)
  const changed = await changePartnerPermission(context, actor, partner, [flag, to === 'on'])
  console.log(`${partner.name}: ${what} ${to}${changed ? '' : ' (as before)'}.`)
}

/** Permits payrolls to one client of a partner, or to none. */
export async function setPayrollPermission(
  context: ProgramContext,
  actor: string,
  clientId: string,
  to: string,
): Promise<void> {
  const changed = await changeClientPermission(context, actor, clientId, ['payroll', to === 'on'])
  console.log(`${clientId}: payroll ${to}${changed ? ', within five seconds' : ' (as before)'}.`)
}

/** Replaces the permitted origins and schemes of a partner's callback URLs. */
export async function setCallbackOrigins(
  context: ProgramContext,
  actor: string,
  nameOrId: string,
  origins: readonly string[],
): Promise<void> {
  const partner = await requirePartner(context, nameOrId)
  const registered = await replaceCallbackOrigins(context, actor, partner, origins)
  const list = registered.length === 0 ? 'no callback origins' : registered.join(', ')
  console.log(`${partner.name}: ${list}, within five seconds.`)
}

export async function disablePartner(context: ProgramContext, actor: string, nameOrId: string): Promise<void> {
  const partner = await requirePartner(context, nameOrId)
  await revokePartnerAccess(context, actor, partner)
  console.log(`${partner.name} is disabled; its tokens are rejected within five seconds.`)
}

/** Creates a new secret, and prints it once; the former one stays valid for some days. */
export async function rotateSecret(
  context: ProgramContext,
  actor: string,
  clientId: string,
  overlapDays: string,
): Promise<void> {
  if (!/^\d{1,2}$/.test(overlapDays)) {
    throw new Error(`--overlap-days must be a whole number, not ${overlapDays}`)
  }
  const { formerEndsAt, ...rotated } = await rotateClientSecret(context, actor, clientId, Number(overlapDays))
  printCredentials(rotated)
  console.log(`The former secret is valid until ${formerEndsAt.toString({ smallestUnit: 'second' })}.`)
}

/** Ends the former secret before its time. */
export async function revokeFormer(context: ProgramContext, actor: string, clientId: string): Promise<void> {
  await revokeFormerSecret(context, actor, clientId)
  console.log(`${clientId}: the former secret is revoked; its tokens are rejected within five seconds.`)
}

export async function disableClient(context: ProgramContext, actor: string, clientId: string): Promise<void> {
  await revokeClientAccess(context, actor, clientId)
  console.log(`The client ${clientId} is disabled; its tokens are rejected within five seconds.`)
}

function printCredentials({ clientId, clientSecret }: Credentials): void {
  console.log(`  client_id      ${clientId}\n  client_secret  ${clientSecret}`)
  console.log('The secret is shown only now; Havn stores a hash of it.')
}

export function addPartnerCommands(group: Command): void {
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
        addPartner(context, actor, { name, callbackOrigins: callbackOrigin }),
      ),
    )
  tableCommand(group, 'list', 'print every partner with the ids of its credentials', printPartners)
  addPartnerSettingCommands(group)
}

function addPartnerSettingCommands(group: Command): void {
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
      runOperatorCommand((context, actor) => setAgreement(context, actor, partner, [what, to])),
    )
  group
    .command('callback-origins')
    .description('replace the allowed callback origins and schemes of a partner')
    .addArgument(partnerArgument())
    .argument('[origin...]', 'all of them, for example https://erp.example myerp:')
    .action((partner: string, origins: string[]) =>
      runOperatorCommand((context, actor) => setCallbackOrigins(context, actor, partner, origins)),
    )
  group
    .command('disable')
    .description('disable a partner permanently')
    .addArgument(partnerArgument())
    .action((partner: string) => runOperatorCommand((context, actor) => disablePartner(context, actor, partner)))
}

export function addClientCommands(group: Command): void {
  group
    .command('create')
    .description('add credentials to a partner and print them, once')
    .addArgument(partnerArgument())
    .action((partner: string) => runOperatorCommand((context, actor) => addClient(context, actor, partner)))
  group
    .command('payroll')
    .description('grant or revoke the payroll permission of a set of credentials')
    .addArgument(new Argument('<on|off>', 'the new state').choices(['on', 'off']))
    .argument('<client-id>', 'as printed by `havn partner list`')
    .action((to: string, clientId: string) =>
      runOperatorCommand((context, actor) => setPayrollPermission(context, actor, clientId, to)),
    )
  group
    .command('rotate')
    .description('create a new secret; the former one stays valid for some days')
    .option('--overlap-days <days>', 'how long the former secret stays valid', String(OVERLAP_DAYS_DEFAULT))
    .argument('<client-id>', 'as printed by `havn partner list`')
    .action((clientId: string, { overlapDays }: { overlapDays: string }) =>
      runOperatorCommand((context, actor) => rotateSecret(context, actor, clientId, overlapDays)),
    )
  group
    .command('revoke-former')
    .description('revoke the former secret of a set of credentials, with the tokens issued for it')
    .argument('<client-id>', 'as printed by `havn partner list`')
    .action((clientId: string) => runOperatorCommand((context, actor) => revokeFormer(context, actor, clientId)))
  group
    .command('disable')
    .description('disable a set of credentials permanently')
    .argument('<client-id>', 'as printed by `havn partner list`')
    .action((clientId: string) => runOperatorCommand((context, actor) => disableClient(context, actor, clientId)))
}
