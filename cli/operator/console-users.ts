/** `havn console`: the users of the console who sign in with passkeys. */

import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { endSession, listOpenSessions } from '../../console/sessions/end-sessions.ts'
import { consoleText } from '../../console/texts/console-texts.ts'
import { disableUser, invitationLink, inviteAgain, inviteUser } from '../../console/users/invite-user.ts'
import type { UserAccount } from '../../console/users/user-account.ts'
import { listUsers } from '../../console/users/user-store.ts'
import { listPartnersWithClients, requirePartner } from '../../gateway/auth/list-partners.ts'
import { CONSOLE_ROLES, type ConsoleRole } from '../../gateway/config/console-roles.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { withoutSlash } from '../../gateway/platform/setting.ts'
import type { Table } from './print-table.ts'
import { type Given, operatorAction, tableCommand } from './run-operator-command.ts'

type InviteOptions = { readonly role?: readonly ConsoleRole[]; readonly partner?: string; readonly url: string }

const DEFAULT_ROLES: readonly ConsoleRole[] = ['operator-administrator']
const LOCAL_GATEWAY = 'http://127.0.0.1:8080'

const userArgument = () => new Argument('<user>', 'the name of the user')

/** Users who sign in at an OpenID Connect provider are not managed here. */
export function addConsoleCommands(group: Command): void {
  group
    .command('invite')
    .description(
      'print a link with which a user creates a passkey, once within 24 hours; also for a user who lost theirs',
    )
    .addArgument(userArgument())
    .addOption(
      new Option('--role <role...>', 'what the user may do; roles of a partner can be combined')
        .choices(CONSOLE_ROLES)
        .default(undefined, DEFAULT_ROLES.join()),
    )
    .option('--partner <partner>', "for roles of a partner: the partner's name or id")
    .addOption(
      new Option('--url <url>', 'the address of the gateway')
        .env('HAVN_BASE_URL')
        .default(LOCAL_GATEWAY)
        .argParser(gatewayUrl),
    )
    .action(operatorAction(invite))
  const users = 'print the users of the console who sign in with passkeys'
  tableCommand(group.command('users').description(users), userTable)
  const sessions = 'print the open sessions of all users, also of those who sign in at an identity provider'
  tableCommand(group.command('sessions').description(sessions), sessionTable)
  addEndCommands(group)
}

/** Prints the link; a known user keeps their roles and gets another link, unless they were disabled. */
async function invite({ context, actor }: Given, name: string, { role, partner, url }: InviteOptions): Promise<void> {
  const known = await findUser(context, name)
  const partnerId = partner === undefined ? null : (await requirePartner(context, partner)).id
  const isActive = known !== undefined && known.disabledAt === null
  if (isActive && (changesRoles(known, role) || (partner !== undefined && partnerId !== known.partnerId))) {
    throw new Error(`${name} is active as ${known.roles.join(', ')}: disable the user first to invite them otherwise`)
  }
  const invitation = isActive
    ? await inviteAgain(context, actor, known.id)
    : await inviteUser(context, actor, { name, partnerId, roles: role ?? DEFAULT_ROLES })
  if (invitation === undefined) {
    throw new Error(`${name} is disabled`)
  }
  if (typeof invitation === 'string') {
    throw new Error(consoleText(`users.errors.${invitation}`))
  }
  const roles = invitation.user.roles.join(', ')
  console.log(
    `Link for ${name} (${roles}), valid once within 24 hours:\n${invitationLink({ baseUrl: url }, invitation)}`,
  )
}

function changesRoles({ roles }: UserAccount, wanted: readonly ConsoleRole[] | undefined): boolean {
  return wanted !== undefined && new Set(wanted).symmetricDifference(new Set(roles)).size > 0
}

/** As the gateway reads it of the same setting. */
function gatewayUrl(text: string): string {
  const url = text.trim() || LOCAL_GATEWAY
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new InvalidArgumentError('It must be an http or https URL, for example https://havn.example.')
  }
  return withoutSlash(url)
}

async function userTable({ context }: Given): Promise<Table> {
  const partners = await partnerNames(context)
  const rows = (await listUsers(context.database)).map(({ name, roles, partnerId, disabledAt }) => ({
    name,
    roles,
    partner: partners.get(partnerId ?? '') ?? null,
    state: disabledAt === null ? 'active' : 'disabled',
  }))
  return { rows, whenEmpty: 'No users; havn console invite invites one.' }
}

async function sessionTable({ context }: Given): Promise<Table> {
  const partners = await partnerNames(context)
  const rows = (await listOpenSessions(context)).map((session) => ({
    session: session.id,
    name: session.name,
    identity: session.subject,
    roles: session.roles,
    partner: partners.get(session.partnerId ?? '') ?? null,
    'signed in': session.createdAt.toString(),
    'last used': session.lastUsedAt.toString(),
    browser: session.userAgent,
  }))
  return { rows, whenEmpty: 'No user is signed in.' }
}

function addEndCommands(group: Command): void {
  group
    .command('end-sessions')
    .description('end the sessions of a user')
    .argument(
      '<user>',
      'the name or identity of the user, or the id of one session, as printed by `havn console sessions`',
    )
    .action(
      operatorAction(async ({ context, actor }, user: string) => {
        const sessions = await listOpenSessions(context)
        const chosen = sessions.filter(({ id, name, subject }) => [id, name, subject].includes(user))
        if (chosen.length === 0) {
          throw new Error(`No open session has the id ${user}, and no user with one has this name or identity`)
        }
        for (const { id } of chosen) {
          await endSession(context, actor, id, { ofUser: false })
        }
        console.log(`Sessions ended: ${chosen.length}.`)
      }),
    )
  group
    .command('disable')
    .description('end the sessions of a user, and delete their passkeys')
    .addArgument(userArgument())
    .action(
      operatorAction(async ({ context, actor }, name: string) => {
        const user = await findUser(context, name)
        if (user === undefined) {
          throw new Error(`Unknown user ${name}; havn console users prints the names`)
        }
        const isDisabled = await disableUser(context, actor, user.id)
        console.log(isDisabled ? `${name} is disabled.` : `${name} was disabled before.`)
      }),
    )
}

async function findUser(context: ProgramContext, name: string): Promise<UserAccount | undefined> {
  return (await listUsers(context.database)).find((user) => user.name === name)
}

async function partnerNames(context: ProgramContext): Promise<ReadonlyMap<string, string>> {
  return new Map((await listPartnersWithClients(context)).map(({ partner: { id, name } }) => [id, name]))
}
