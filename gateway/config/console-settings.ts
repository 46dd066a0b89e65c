/** Lists the settings of signing in to the console: the OpenID Connect provider, and the roles of its groups. */

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { closed } from '../platform/closed-schema.ts'
import { parseOptionalJson } from '../platform/parse-json.ts'
import { combined, integer, listIn, optional, type SettingSource, text, type ValuesOf } from '../platform/setting.ts'
import { CONSOLE_ROLES, isOfPartner } from './console-roles.ts'
import { isIssuer, type OpenIdClientSettings } from './identity-provider-settings.ts'

const Group = closed({
  group: Type.String({ minLength: 1, maxLength: 500 }),
  role: Type.Enum(CONSOLE_ROLES),
  /** The id of the partner whose data the users see. */
  partner: Type.Optional(Type.String({ format: 'uuid' })),
})

/** The members of a group have a role, at a partner where it is one of partners' users. */
export type GroupRole = Static<typeof Group>

export type ConsoleProviderSettings = OpenIdClientSettings & {
  /** The claim of the ID token that lists the user's groups. */
  readonly groupsClaim: string
  readonly groups: readonly GroupRole[]
  /** A session is not used for longer than this without the provider saying again which roles its user has. */
  readonly roleLookupIntervalMinutes: number
}

const ROLE_LOOKUP_MINUTES_RANGE = [1, 720] as const

const groupsShape = Compile(Type.Array(Group, { minItems: 1, maxItems: 1_000 }))

const PARTS = {
  issuer: optional(
    'HAVN_CONSOLE_OIDC_ISSUER',
    'the OpenID Connect provider at which users of the console sign in; see [operating.md](operating.md)',
  ),
  clientId: optional('HAVN_CONSOLE_OIDC_CLIENT_ID', 'id of your registration there'),
  clientSecretFile: optional(
    'HAVN_CONSOLE_OIDC_CLIENT_SECRET_FILE',
    'file with the secret of the registration; read at each use',
    'secret',
  ),
  clientKeyFile: optional(
    'HAVN_CONSOLE_OIDC_CLIENT_KEY_FILE',
    'file with a private key (PKCS#8, PEM) in place of the secret',
    'secret',
  ),
  hosts: text('HAVN_CONSOLE_OIDC_HOSTS', '', 'its hosts besides that of the issuer, separated by commas', (given) => [
    ...listIn(given),
  ]),
  scope: text(
    'HAVN_CONSOLE_OIDC_SCOPE',
    'openid profile',
    'scopes that are requested; some providers list groups only with `groups`',
  ),
  groupsClaim: text('HAVN_CONSOLE_OIDC_GROUPS_CLAIM', 'groups', "claim of the ID token that lists the user's groups"),
  groups: optional('HAVN_CONSOLE_GROUPS', 'the role of each group, as a JSON list; see [operating.md](operating.md)'),
  roleLookupIntervalMinutes: integer(
    'HAVN_CONSOLE_ROLE_LOOKUP_MINUTES',
    15,
    'after so long a session is used only once the provider has confirmed its user and reported their groups again; 1 to 720',
    ROLE_LOOKUP_MINUTES_RANGE,
  ),
}

/** Null without an issuer. */
export const consoleProvider = combined(PARTS, providerOf)

function providerOf(given: ValuesOf<typeof PARTS>, source: SettingSource): ConsoleProviderSettings | null {
  const { issuer, clientId, clientSecretFile, clientKeyFile, groups, ...values } = given
  const { mode, reject } = source
  if (issuer === null) {
    const needing = { HAVN_CONSOLE_OIDC_CLIENT_ID: clientId, HAVN_CONSOLE_GROUPS: groups }
    for (const [name] of Object.entries(needing).filter(([, value]) => value !== null)) {
      reject(`${name} needs HAVN_CONSOLE_OIDC_ISSUER`)
    }
    return null
  }
  if (!isIssuer(issuer, mode)) {
    reject('HAVN_CONSOLE_OIDC_ISSUER must be an https URL without query and fragment')
  }
  if (clientId === null) {
    reject('HAVN_CONSOLE_OIDC_CLIENT_ID is missing: the id of the registration at HAVN_CONSOLE_OIDC_ISSUER')
  }
  if ((clientSecretFile === null) === (clientKeyFile === null)) {
    reject('Set one of HAVN_CONSOLE_OIDC_CLIENT_SECRET_FILE and HAVN_CONSOLE_OIDC_CLIENT_KEY_FILE')
  }
  return {
    ...values,
    id: 'console',
    issuer,
    clientId: clientId ?? '',
    ...(clientSecretFile === null ? {} : { clientSecretFile }),
    ...(clientKeyFile === null ? {} : { clientKeyFile }),
    groups: parseGroups(groups ?? '', source),
  }
}

function parseGroups(given: string, { reject }: SettingSource): readonly GroupRole[] {
  const groups = parseOptionalJson(given)
  if (!groupsShape.Check(groups)) {
    const [first] = groupsShape.Errors(groups)
    reject(
      `HAVN_CONSOLE_GROUPS must be a list such as [{"group": "havn-operators", "role": "operator"}] in JSON: ${first?.instancePath ?? ''} ${first?.message ?? ''}`,
    )
    return []
  }
  for (const { group, role, partner } of groups) {
    if (isOfPartner(role) !== (partner !== undefined)) {
      reject(
        `HAVN_CONSOLE_GROUPS: the group ${group} ${partner === undefined ? `needs a partner for the role ${role}` : `must not have a partner with the role ${role}`}`,
      )
    }
  }
  return groups
}
