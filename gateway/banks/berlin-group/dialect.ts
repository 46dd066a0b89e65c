/** What differs between banks that speak NextGenPSD2: the settings under `dialect` in a bank's profile. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { BankProfile } from '../bank.ts'

const Dialect = Type.Object(
  {
    /** Payment product of a domestic payment, as it stands in the path. */
    domesticProduct: Type.String({ pattern: '^[a-z0-9.-]{1,70}$' }),
    /** Whether the bank takes `endToEndIdentification`; the Norwegian product has no such field. */
    endToEndIdentification: Type.Boolean(),
    /** Member that carries a message to the receiver. */
    message: Type.Enum(['remittanceInformationUnstructured', 'remittanceInformationUnstructuredArray']),
    /** Member that carries a structured reference, always as type SCOR. */
    structuredReference: Type.Enum(['remittanceInformationStructured', 'remittanceInformationStructuredArray']),
    /** Member that carries the debtor's own reference; null where the bank takes none. */
    debtorReference: Type.Union([Type.String({ pattern: '^[A-Za-z]{1,70}$' }), Type.Null()]),
    /** Which accounts a consent asks for: what the user picks at the bank, or all the user may see. */
    consentAccess: Type.Enum(['bank-offered', 'all-accounts']),
    /** Whether the consent asks for the names of the accounts' owners. */
    askOwnerName: Type.Boolean(),
    /** Reads a day and account that the bank grants while the user is away. */
    frequencyPerDay: Type.Integer({ minimum: 1, maximum: 100 }),
    /** Matches the bank's text on a failed authorisation that the user left rather than refused, ignoring case. */
    cancelledText: Type.String({ format: 'regex', minLength: 1 }),
  },
  { additionalProperties: false },
)

export type Dialect = Static<typeof Dialect>

const validator = Compile(Dialect)
const dialectByProfile = new WeakMap<BankProfile, Dialect>()

/** The dialect of a profile; throws with every fault when the settings are no dialect. */
export function dialectOf(profile: BankProfile): Dialect {
  const known = dialectByProfile.get(profile)
  if (known !== undefined) {
    return known
  }
  const dialect = readDialect(profile.dialect)
  dialectByProfile.set(profile, dialect)
  return dialect
}

/** Checks settings; the error names every member that is wrong. */
export function readDialect(settings: unknown): Dialect {
  if (validator.Check(settings)) {
    return settings
  }
  const faults = validator.Errors(settings).map(({ instancePath, message }) => `dialect${instancePath}: ${message}`)
  throw new Error(`The Berlin Group dialect is not usable: ${faults.join('; ')}`)
}
