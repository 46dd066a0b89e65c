/** Reads and validates the bank profiles of a folder, so that mistakes show at startup. */
import { readdir, readFile } from 'node:fs/promises'
import { parseMoney } from '../../platform/money.ts'
import { BankProfile } from '../connector/bank-profile.ts'
import { type SettingRule, settingErrors } from '../connector/setting-errors.ts'
import { CONSISTENCY_RULES } from './profile-consistency.ts'

/** The profiles of this release. */
export const BANK_PROFILES_FOLDER = new URL('../../../data/bank-profiles/', import.meta.url)

/** The profiles of a folder by name. Throws for an invalid profile. */
export async function readBankProfiles(folder: URL): Promise<ReadonlyMap<string, BankProfile>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const profiles = await Promise.all(
    files.map(async (file) => parseBankProfile(file, await readFile(new URL(file, folder), 'utf8'))),
  )
  return new Map(profiles.map((profile) => [profile.name, profile]))
}

/** Validates one profile, except for its dialect. Throws an error that names the file and everything that is wrong. */
export function parseBankProfile(file: string, text: string): BankProfile {
  const settings = parseJson(file, text)
  const errors = errorsIn(settings, file)
  if (errors.length > 0) {
    throw new Error(`Bank profile ${file} is not usable: ${errors.join('; ')}`)
  }
  return settings as BankProfile
}

/** What the connector of a profile checks. */
type DialectChecks = {
  readonly dialectErrors: (dialect: unknown) => readonly string[]
  readonly contradictions: (profile: unknown) => readonly string[]
}

/** All errors of a profile, also those of its dialect; empty for a valid one. */
export function bankProfileErrors(file: string, text: string, kind: DialectChecks): readonly string[] {
  try {
    const settings = parseJson(file, text)
    const { dialect } = Object(settings)
    return [
      ...errorsIn(settings, file),
      ...(dialect === undefined ? [] : kind.dialectErrors(dialect)),
      ...kind.contradictions(settings),
    ]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function errorsIn(settings: unknown, file: string): readonly string[] {
  const ofFile: SettingRule<BankProfile> = {
    reads: ['/name'],
    errors: ({ name }) =>
      file === `${name}.json`
        ? []
        : [`/name: is ${name}, which is not the file's name; change one of them: ${name}.json holds ${name}`],
  }
  return settingErrors(BankProfile, settings, { rules: [ofFile, ...VALUE_RULES, ...CONSISTENCY_RULES] })
}

/** Checks of single values that the schema cannot express. */
const VALUE_RULES: readonly SettingRule<BankProfile>[] = [
  {
    reads: ['/timeZone'],
    errors: ({ timeZone }) =>
      isMet(() => new Temporal.ZonedDateTime(0n, timeZone).timeZoneId !== '')
        ? []
        : [`/timeZone: ${timeZone} is unknown; use one of the IANA database, e.g. Europe/Oslo`],
  },
  {
    reads: ['/userId'],
    errors: ({ userId }) =>
      isMet(() => new RegExp(userId.pattern, 'u').test(userId.example))
        ? []
        : [`/userId/example: ${userId.example} does not match /userId/pattern; correct one of them`],
  },
  { reads: ['/amountMax'], errors: ({ amountMax }) => amountErrors('/amountMax', amountMax) },
  {
    reads: ['/crossBorder'],
    errors: ({ crossBorder }) => amountErrors('/crossBorder/amountMax', crossBorder?.amountMax ?? {}),
  },
  {
    reads: ['/rails', '/amountMax'],
    errors: ({ rails, amountMax }) =>
      Object.entries(rails).flatMap(([rail, { amountMax: max }]) =>
        max === null || isAmountIn(Object.keys(amountMax), max)
          ? []
          : [`/rails/${rail}/amountMax: ${max} is not an amount in a currency of /amountMax; write e.g. "1000.00"`],
      ),
  },
  {
    reads: ['/constraints/validInformationFieldCharactersPattern'],
    errors: ({ constraints: { validInformationFieldCharactersPattern: pattern } }) =>
      isCharacterClass(pattern)
        ? []
        : [
            `/constraints/validInformationFieldCharactersPattern: ${pattern} is not one character class that is valid with the flag u`,
          ],
  },
]

function amountErrors(path: string, amountMax: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(amountMax)
    .filter(([currency, amount]) => parseMoney(amount, currency) === undefined)
    .map(([currency, amount]) => `${path}/${currency}: ${amount} is not an amount in ${currency}; write e.g. "1000.00"`)
}

/** A rail's limit is in the country's currency, which must be one of the currencies with a limit. */
function isAmountIn(currencies: readonly string[], amount: string): boolean {
  return currencies.some((currency) => parseMoney(amount, currency) !== undefined)
}

/** Exactly one character class, with flag `u` as in the validation of texts: not every class is valid with it. */
function isCharacterClass(pattern: string): boolean {
  return isMet(() => {
    const allowed = new RegExp(`^${pattern}$`, 'u')
    return !allowed.test('') && !allowed.test('aa') && /^\[(?:\\.|[^\]\\])+\]$/su.test(pattern)
  })
}

/** False where the check throws: a pattern may be invalid with flag `u`, and a time zone unknown. */
function isMet(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Bank profile ${file} is not JSON: ${reason}`, { cause: error })
  }
}
