/** The persons who can identify: those of the sample registry, and any that is entered in the form. */
import { createHash } from 'node:crypto'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }

export type TestPerson = {
  readonly id: string
  readonly name: { readonly given: string; readonly family: string }
  /** ISO 8601. */
  readonly birthDate: string
  readonly countryCode: string
  /** Invented, like the whole person. Null without a number in the country. */
  readonly nationalId: string | null
  /** Of a workplace. */
  readonly groups?: readonly string[]
}

/** Added to the month number, so that no real person has the national id. */
const SYNTHETIC_MONTHS = 80

/** The persons of the sample registry. */
export const TEST_PERSONS: readonly TestPerson[] = sample.people.map(
  ({ id, given, family, birthDate, country, nationalId }) => ({
    id,
    name: { given, family },
    birthDate,
    countryCode: country,
    nationalId,
  }),
)

/** A person entered in the form; a missing number is derived from the other fields. */
export function typedPerson(
  countryCode: string,
  { name, birthDate, nationalId }: Pick<TestPerson, 'name' | 'birthDate' | 'nationalId'>,
): TestPerson {
  const hash = createHash('sha256').update(JSON.stringify([countryCode, name.given, name.family, birthDate]))
  const id = hash.digest('hex').slice(0, 16)
  return { id, countryCode, name, birthDate, nationalId: nationalId ?? syntheticNationalId(id, countryCode, birthDate) }
}

/** The birth date in the country's format, and synthetic digits. */
function syntheticNationalId(id: string, countryCode: string, birthDate: string): string {
  const [year = '', month = '', day = ''] = birthDate.split('-')
  const digits = String(Number.parseInt(id.slice(0, 8), 16)).padStart(10, '0')
  const synthetic = String(Number(month) + SYNTHETIC_MONTHS)
  switch (countryCode) {
    case 'NO':
      return `${day}${synthetic}${year.slice(2)}${digits.slice(0, 5)}`
    case 'SE':
      return `${year}${synthetic}${day}${digits.slice(0, 4)}`
    case 'FI':
      return `${day}${month}${year.slice(2)}-9${digits.slice(0, 2)}A`
    default:
      return `${day}${synthetic}${year.slice(2)}-${digits.slice(0, 4)}`
  }
}
