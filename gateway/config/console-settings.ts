/** Reads the settings of signing in to the console: the OpenID Connect provider, and the roles of its groups. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { CONSOLE_ROLES, isOfPartner } from './console-roles.ts'
import type { environmentReader } from './environment-reader.ts'
import { isIssuer, type OpenIdClientSettings } from './identity-provider-settings.ts'

const Group = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 500 }),
    role: Type.Enum(CONSOLE_ROLES),
    /** The id of the partner whose data the users see. */
    partner: Type.Optional(Type.String({ format: 'uuid' })),
  },
  { additionalProperties: false },
)

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

/** The variables, named where all others are. */
type Names = Readonly<
  Record<
    | 'issuer'
    | 'clientId'
    | 'clientSecretFile'
    | 'clientKeyFile'
    | 'hosts'
    | 'scope'
    | 'groupsClaim'
    | 'groups'
    | 'roleLookup',
    string
  >
>

const groupsShape = Compile(Type.Array(Group, { minItems: 1, maxItems: 1_000 }))

/** Null without an issuer. Adds errors to `errors`. */
export function readConsoleProvider(
  read: ReturnType<typeof environmentReader>,
  names: Names,
  { mode, errors }: { readonly mode: 'sandbox' | 'production'; readonly errors: string[] },
): ConsoleProviderSettings | null {
  const text = (name: keyof Names) => read.text(names[name], '')
  const [issuer, clientId] = [text('issuer'), text('clientId')]
  const [clientSecretFile, clientKeyFile] = [text('clientSecretFile'), text('clientKeyFile')]
  const scope = read.text(names.scope, 'openid profile')
  const groupsClaim = read.text(names.groupsClaim, 'groups')
  const roleLookupIntervalMinutes = read.integer(names.roleLookup, 15, ROLE_LOOKUP_MINUTES_RANGE)
  if (issuer === '') {
    const given = [names.clientId, names.groups].filter((name) => read.text(name, '') !== '')
    errors.push(...given.map((name) => `${name} needs ${names.issuer}`))
    return null
  }
  if (!isIssuer(issuer, mode)) {
    errors.push(`${names.issuer} must be an https URL without query and fragment`)
  }
  if (clientId === '') {
    errors.push(`${names.clientId} is missing: the id of the registration at ${names.issuer}`)
  }
  if ((clientSecretFile === '') === (clientKeyFile === '')) {
    errors.push(`Set one of ${names.clientSecretFile} and ${names.clientKeyFile}`)
  }
  return {
    id: 'console',
    ...{ issuer, clientId, scope, groupsClaim, roleLookupIntervalMinutes },
    ...(clientSecretFile === '' ? {} : { clientSecretFile }),
    ...(clientKeyFile === '' ? {} : { clientKeyFile }),
    hosts:
      text('hosts') === ''
        ? []
        : text('hosts')
            .split(',')
            .map((host) => host.trim()),
    groups: readGroups(names.groups, text('groups'), errors),
  }
}

function readGroups(name: string, text: string, errors: string[]): readonly GroupRole[] {
  const groups = parseOptionalJson(text)
  if (!groupsShape.Check(groups)) {
    const [first] = groupsShape.Errors(groups)
    errors.push(
      `${name} must be a list such as [{"group": "havn-operators", "role": "operator"}] in JSON: ${first?.instancePath ?? ''} ${first?.message ?? ''}`,
    )
    return []
  }
  for (const { group, role, partner } of groups) {
    if (isOfPartner(role) !== (partner !== undefined)) {
      errors.push(
        `${name}: the group ${group} ${partner === undefined ? `needs a partner for the role ${role}` : `must not have a partner with the role ${role}`}`,
      )
    }
  }
  return groups
}

function parseOptionalJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
