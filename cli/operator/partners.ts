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
import type { Table } from './print-table.ts'
import { type Given, operatorAction, partnerArgument, tableCommand } from './run-operator-command.ts'

type Credentials = { readonly clientId: string; readonly clientSecret: string }

const AGREEMENTS = {
  'payroll-bulk': 'payrollBulk',
  'ais-registration': 'aisRegistration',
} as const satisfies Readonly<Record<string, PartnerPermission>>

const stateArgument = () => new Argument('<on|off>', 'the new state').choices(['on', 'off'])
const clientArgument = () => new Argument('<client-id>', 'as printed by `havn partner list`')

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
    .action(
      operatorAction(
        async ({ context, actor }, name: string, typed: { readonly callbackOrigin: readonly string[] }) => {
          const wanted = { name, callbackOrigins: typed.callbackOrigin }
          const { partner, credentials } = await createPartner(context, actor, wanted)
          console.log(`Created the partner ${partner.name} (${partner.id}).`)
          printCredentials(credentials)
        },
      ),
    )
  tableCommand(group.command('list').description('print every partner with the ids of its credentials'), partnerTable)
  addPartnerSettingCommands(group)
}

async function partnerTable({ context }: Given): Promise<Table> {
  const rows = (await listPartnersWithClients(context)).map(({ partner, clients }) => ({
    name: partner.name,
    id: partner.id,
    state: partner.disabledAt === null ? 'enabled' : 'disabled',
    clients: { value: clients.map(({ clientId }) => clientId), shown: clients.map(describeClient).join(', ') },
    'callback origins': partner.callbackOrigins,
    agreements: Object.entries(AGREEMENTS).flatMap(([name, permission]) => (partner[permission] ? [name] : [])),
  }))
  return { rows, whenEmpty: 'No partners; havn partner create creates one.' }
}

function describeClient({ clientId, payroll, disabledAt }: Client): string {
  const properties = [...(payroll ? ['payroll'] : []), ...(disabledAt === null ? [] : ['disabled'])]
  return properties.length === 0 ? clientId : `${clientId} (${properties.join(', ')})`
}

function addPartnerSettingCommands(group: Command): void {
  group
    .command('agreement')
    .description('grant or revoke a permission that needs an agreement')
    .addArgument(
      new Argument('<what>', 'bulk payrolls, or registering companies without onboarding').choices(
        Object.keys(AGREEMENTS),
      ),
    )
    .addArgument(stateArgument())
    .addArgument(partnerArgument())
    .action(
      operatorAction(async ({ context, actor }, what: keyof typeof AGREEMENTS, to: string, nameOrId: string) => {
        const partner = await requirePartner(context, nameOrId)
        const changed = await changePartnerPermission(context, actor, partner, [AGREEMENTS[what], to === 'on'])
        console.log(`${partner.name}: ${what} ${to}${changed ? '' : ' (as before)'}.`)
      }),
    )
  group
    .command('callback-origins')
    .description('replace the allowed callback origins and schemes of a partner')
    .addArgument(partnerArgument())
    .argument('[origin...]', 'all of them, for example https://erp.example myerp:')
    .action(
      operatorAction(async ({ context, actor }, nameOrId: string, origins: readonly string[]) => {
        const partner = await requirePartner(context, nameOrId)
        const registered = await replaceCallbackOrigins(context, actor, partner, origins)
        const list = registered.length === 0 ? 'no callback origins' : registered.join(', ')
        console.log(`${partner.name}: ${list}, within five seconds.`)
      }),
    )
  group
    .command('disable')
    .description('disable a partner permanently')
    .addArgument(partnerArgument())
    .action(
      operatorAction(async ({ context, actor }, nameOrId: string) => {
        const partner = await requirePartner(context, nameOrId)
        await revokePartnerAccess(context, actor, partner)
        console.log(`${partner.name} is disabled; its tokens are rejected within five seconds.`)
      }),
    )
}

export function addClientCommands(group: Command): void {
  group
    .command('create')
    .description('add credentials to a partner and print them, once')
    .addArgument(partnerArgument())
    .action(
      operatorAction(async ({ context, actor }, nameOrId: string) => {
        printCredentials(await createClient(context, actor, await requirePartner(context, nameOrId)))
      }),
    )
  group
    .command('payroll')
    .description('grant or revoke the payroll permission of a set of credentials')
    .addArgument(stateArgument())
    .addArgument(clientArgument())
    .action(
      operatorAction(async ({ context, actor }, to: string, clientId: string) => {
        const changed = await changeClientPermission(context, actor, clientId, ['payroll', to === 'on'])
        console.log(`${clientId}: payroll ${to}${changed ? ', within five seconds' : ' (as before)'}.`)
      }),
    )
  addSecretCommands(group)
  group
    .command('disable')
    .description('disable a set of credentials permanently')
    .addArgument(clientArgument())
    .action(
      operatorAction(async ({ context, actor }, clientId: string) => {
        await revokeClientAccess(context, actor, clientId)
        console.log(`The client ${clientId} is disabled; its tokens are rejected within five seconds.`)
      }),
    )
}

function addSecretCommands(group: Command): void {
  group
    .command('rotate')
    .description('create a new secret; the former one stays valid for some days')
    .option('--overlap-days <days>', 'how long the former secret stays valid', String(OVERLAP_DAYS_DEFAULT))
    .addArgument(clientArgument())
    .action(
      operatorAction(async ({ context, actor }, clientId: string, { overlapDays: days }: { overlapDays: string }) => {
        if (!/^\d{1,2}$/.test(days)) {
          throw new Error(`--overlap-days must be a whole number, not ${days}`)
        }
        const { formerEndsAt, ...rotated } = await rotateClientSecret(context, actor, clientId, Number(days))
        printCredentials(rotated)
        console.log(`The former secret is valid until ${formerEndsAt.toString({ smallestUnit: 'second' })}.`)
      }),
    )
  group
    .command('revoke-former')
    .description('revoke the former secret of a set of credentials, with the tokens issued for it')
    .addArgument(clientArgument())
    .action(
      operatorAction(async ({ context, actor }, clientId: string) => {
        await revokeFormerSecret(context, actor, clientId)
        console.log(`${clientId}: the former secret is revoked; its tokens are rejected within five seconds.`)
      }),
    )
}

function printCredentials({ clientId, clientSecret }: Credentials): void {
  console.log(`  client_id      ${clientId}\n  client_secret  ${clientSecret}`)
  console.log('The secret is shown only now; Havn stores a hash of it.')
}
