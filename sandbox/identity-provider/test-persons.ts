/** The people who may identify: those of the sample registry, whom anybody may play, and whoever is typed. */
import { createHash } from 'node:crypto'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }

/** Somebody who identifies. */
export type Somebody = {
  readonly id: string
  readonly name: { readonly given: string; readonly family: string }
  /** ISO 8601. */
  readonly birthDate: string
  readonly countryCode: string
  /** Nobody's: invented, as the whole person is. Null for who has none in the country. */
  readonly nationalId: string | null
}

/** Written where a month number is, but of no month: no number that somebody has is among them. */
const SYNTHETIC_MONTHS = 80

/** Everybody whom the sample registry names. */
export const PEOPLE: readonly Somebody[] = sample.people.map(
  ({ id, given, family, birthDate, country, nationalId }) => ({
    id,
    name: { given, family },
    birthDate,
    countryCode: country,
    nationalId,
  }),
)

/** A person who is typed; the number is made of what was typed where none was. */
export function typedPerson(
  countryCode: string,
  { name, birthDate, nationalId }: Pick<Somebody, 'name' | 'birthDate' | 'nationalId'>,
): Somebody {
  const hash = createHash('sha256').update(JSON.stringify([countryCode, name.given, name.family, birthDate]))
  const id = hash.digest('hex').slice(0, 16)
  return { id, countryCode, name, birthDate, nationalId: nationalId ?? inventedNumber(id, countryCode, birthDate) }
}

/** The birth date as the country writes it, and digits of nobody. */
function inventedNumber(id: string, countryCode: string, birthDate: string): string {
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
