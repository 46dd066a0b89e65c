/** Reads who signed in from the claims of an ID token: name, and roles by the groups of the settings. */
import type { ConsoleProviderSettings } from '../../../gateway/config/console-settings.ts'
import { ALL_UNPRINTABLE } from '../../../gateway/platform/copied-text.ts'
import type { ConsoleUser } from '../../access/console-session.ts'

/** The claims that are read; all others may be there. */
type Claims = { readonly iss: string; readonly sub: string; readonly [claim: string]: unknown }

/** `no-role` where no group of the user has one, `several-partners` where their groups belong to more than one. */
export type ClaimedUser = ConsoleUser | 'no-role' | 'several-partners'

const NAME_CHARACTERS_MAX = 200

/** Operators and each partner are apart: a user is of one of them. */
export function userFromClaims(
  { groups, groupsClaim }: Pick<ConsoleProviderSettings, 'groups' | 'groupsClaim'>,
  claims: Claims,
): ClaimedUser {
  const own = new Set([claims[groupsClaim]].flat())
  const granted = groups.filter(({ group }) => own.has(group))
  const partners = new Set(granted.map(({ partner }) => partner ?? null))
  const [partnerId] = partners
  if (partnerId === undefined) {
    return 'no-role'
  }
  if (partners.size > 1) {
    return 'several-partners'
  }
  const roles = [...new Set(granted.map(({ role }) => role))]
  const { auth_time: at } = claims
  const loggedIn = typeof at === 'number' ? { loggedInAtSeconds: at } : {}
  return { subject: `${claims.iss} ${claims.sub}`, name: nameOf(claims), partnerId, roles, ...loggedIn }
}

/** Users choose it at many providers: PostgreSQL cannot store U+0000, and other characters change the direction of the text around it. */
function nameOf(claims: Claims): string {
  const given = [claims['name'], claims['preferred_username'], claims['email'], claims.sub]
  const names = given.map((name) =>
    typeof name === 'string' ? name.normalize('NFC').replaceAll(ALL_UNPRINTABLE, '').trim() : '',
  )
  return (names.find((name) => name !== '') ?? '').slice(0, NAME_CHARACTERS_MAX)
}
