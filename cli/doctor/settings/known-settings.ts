/** Lists the names of all settings. */
import { SETTING_VARIABLES } from '../../../gateway/config/config.ts'
import { START_VARIABLES } from '../../../launcher/start-settings.ts'
import { BANK_SETTINGS, FX_SETTINGS, IDENTITY_PROVIDER_SETTINGS, variablesOf } from '../../../sandbox/settings.ts'

/** Settings of the command line; a test compares all names with `docs/settings.md`. */
const OTHER_SETTINGS = [
  'HAVN_OPERATOR',
  'HAVN_OPERATOR_TOKEN',
  'HAVN_PROFILE',
  'HAVN_URL',
  'HAVN_TOKEN_URL',
  'HAVN_CLIENT_ID',
  'HAVN_CLIENT_SECRET',
  'HAVN_OTHER_CLIENT_SECRET',
  'HAVN_ENVIRONMENT',
  'HAVN_CALLBACK_URL',
  'HAVN_PSU_IP_ADDRESS',
]
/** A name with more differences is another name. */
const DIFFERENCES_MAX = 4

/** All names. */
export function knownSettings(): ReadonlySet<string> {
  const ofSandbox = variablesOf({ ...BANK_SETTINGS, ...IDENTITY_PROVIDER_SETTINGS, ...FX_SETTINGS })
  return new Set(
    [...SETTING_VARIABLES, ...START_VARIABLES, ...ofSandbox].map(({ name }) => name).concat(OTHER_SETTINGS),
  )
}

/** The name that a misspelt or renamed one probably means. */
export function closestName(name: string, known: ReadonlySet<string>): string | undefined {
  const [closest] = [...known]
    .map((other) => ({ other, differences: differencesBetween(name, other) }))
    .toSorted((one, next) => one.differences - next.differences)
  return closest === undefined || closest.differences > DIFFERENCES_MAX ? undefined : closest.other
}

/** The edit distance of Levenshtein. */
function differencesBetween(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1]
    for (const [column, compared] of [...other].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === compared ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
