/** `havn partner` and `havn client`: who may call, and with which credentials. */
import { changeClientPermission } from '../../gateway/auth/client-permissions.ts'
import { createClient, createPartner } from '../../gateway/auth/create-partner.ts'
import { requirePartner, showPartners } from '../../gateway/auth/list-partners.ts'
import type { Client } from '../../gateway/auth/partner.ts'
import { changePartnerFlag, type PartnerFlag } from '../../gateway/auth/partner-flags.ts'
import { replaceCallbackOrigins } from '../../gateway/auth/replace-callback-origins.ts'
import { shutOutClient, shutOutPartner } from '../../gateway/auth/revoke-partner-access.ts'
import type { Surroundings } from './operator-context.ts'
import { tableOf } from './print-table.ts'

type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Adds a partner; the secret is printed here and never again. */
export async function addPartner(
  surroundings: Surroundings,
  actor: string,
  wanted: { readonly name: string; readonly callbackOrigins: readonly string[] },
): Promise<void> {
  const { partner, credentials } = await createPartner(surroundings, actor, wanted)
  console.log(`Created the partner ${partner.name} (${partner.id}).`)
  printCredentials(credentials)
}

/** Adds credentials to a partner. */
export async function addClient(surroundings: Surroundings, actor: string, nameOrId: string): Promise<void> {
  const partner = await requirePartner(surroundings, nameOrId)
  printCredentials(await createClient(surroundings, actor, partner))
}

/** Prints every partner with its credentials' ids. */
export async function printPartners(surroundings: Surroundings): Promise<void> {
  const partners = await showPartners(surroundings)
  const rows = partners.map(({ partner, clients }) => [
    partner.name,
    partner.id,
    partner.disabledAt === null ? 'enabled' : 'disabled',
    clients.map(tellClient).join(', '),
    partner.callbackOrigins.join(', '),
    [...(partner.payrollBulk ? ['payroll-bulk'] : []), ...(partner.aisRegistration ? ['ais-registration'] : [])].join(
      ', ',
    ),
  ])
  const headings = ['name', 'id', 'state', 'clients', 'callback origins', 'agreements']
  console.log(tableOf(headings, rows, 'There is no partner; havn partner create makes one.'))
}

function tellClient({ clientId, payroll, disabledAt }: Client): string {
  const told = [...(payroll ? ['payroll'] : []), ...(disabledAt === null ? [] : ['disabled'])]
  return told.length === 0 ? clientId : `${clientId} (${told.join(', ')})`
}

const AGREEMENTS: Readonly<Record<string, PartnerFlag>> = {
  'payroll-bulk': 'payrollBulk',
  'ais-registration': 'aisRegistration',
}

/** Notes what a partner has agreed on, or that it has not any more. */
export async function setAgreement(
  surroundings: Surroundings,
  actor: string,
  nameOrId: string,
  [what, to]: readonly [what: string, to: string],
): Promise<void> {
  const flag = AGREEMENTS[what]
  if (flag === undefined) {
    throw new Error(`There is no agreement called ${what}`)
  }
  const partner = await requirePartner(surroundings, nameOrId)
  const changed = await changePartnerFlag(surroundings, actor, partner, [flag, to === 'on'])
  console.log(`${partner.name}: ${what} ${to}${changed ? '' : ' (as before)'}.`)
}

/** Allows payrolls to one set of credentials, or to none of its programs any more. */
export async function setPayrollPermission(
  surroundings: Surroundings,
  actor: string,
  clientId: string,
  to: string,
): Promise<void> {
  const changed = await changeClientPermission(surroundings, actor, clientId, ['payroll', to === 'on'])
  console.log(`${clientId}: payroll ${to}${changed ? ', within five seconds' : ' (as before)'}.`)
}

/** Replaces the origins and schemes that callback URLs of a partner may have. */
export async function setCallbackOrigins(
  surroundings: Surroundings,
  actor: string,
  nameOrId: string,
  origins: readonly string[],
): Promise<void> {
  const partner = await requirePartner(surroundings, nameOrId)
  const registered = await replaceCallbackOrigins(surroundings, actor, partner, origins)
  const list = registered.length === 0 ? 'no callback origins' : registered.join(', ')
  console.log(`${partner.name}: ${list}, within five seconds.`)
}

/** Shuts a partner out. */
export async function disablePartner(surroundings: Surroundings, actor: string, nameOrId: string): Promise<void> {
  const partner = await requirePartner(surroundings, nameOrId)
  await shutOutPartner(surroundings, actor, partner)
  console.log(`${partner.name} is disabled; its tokens are refused within five seconds.`)
}

/** Shuts one set of credentials out. */
export async function disableClient(surroundings: Surroundings, actor: string, clientId: string): Promise<void> {
  await shutOutClient(surroundings, actor, clientId)
  console.log(`The client ${clientId} is disabled; its tokens are refused within five seconds.`)
}

function printCredentials({ clientId, clientSecret }: Credentials): void {
  console.log(`  client_id      ${clientId}\n  client_secret  ${clientSecret}`)
  console.log('The secret is shown this once; only a digest of it is kept.')
}
