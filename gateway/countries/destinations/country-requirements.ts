/** Returns the requirements of payments to each country, and the countries that are blocked. */
import { type RequirementsRow, requirementsTable, type TerritoryRow } from './requirements-table.ts'

/** The requirements of one country: its row of the table; for a territory, with its own overrides. */
export type CountryRequirements = RequirementsRow

/** A country in lists. */
export type ListedCountry = {
  readonly country: string
  readonly name: string
  /** Whether payments to it are supported. */
  readonly supported: boolean
  /** The payout currencies, the country's own first; empty for an unsupported country. */
  readonly currencies: readonly string[]
}

const { countries, territories, blocked, sources } = requirementsTable

const ownRows: ReadonlyMap<string, CountryRequirements> = new Map(countries.map((row) => [row.country, row]))
const requirementsByCountry: ReadonlyMap<string, CountryRequirements> = new Map([
  ...ownRows,
  ...territories.map((row): [string, CountryRequirements] => [row.country, ofTerritory(row)]),
])
const blockedByCountry: ReadonlyMap<string, ListedCountry> = new Map(
  blocked.map(({ country, name }) => [country, { country, name, supported: false, currencies: [] }]),
)

/** The requirements of a country (ISO 3166-1 alpha-2); undefined if it is blocked or unknown. */
export function requirementsOf(country: string): CountryRequirements | undefined {
  return requirementsByCountry.get(country)
}

/** Whether payments to the country are blocked. */
export function isCountryBlocked(country: string): boolean {
  return blockedByCountry.has(country)
}

/** All known countries, sorted by name. */
export const listedCountries: readonly ListedCountry[] = [
  ...[...requirementsByCountry.values()].map(({ country, name, currencies }) => ({
    country,
    name,
    supported: true,
    currencies,
  })),
  ...blockedByCountry.values(),
].sort((one, other) => one.name.localeCompare(other.name, 'en'))

/** The sources of the requirements and their certainty, as sentences. */
export function provenanceOf({ sources: keys, confidence }: CountryRequirements): readonly string[] {
  const certainty = {
    sourced: 'These requirements are sourced',
    partly: 'These requirements are sourced in part',
    own: 'These requirements are not sourced: ask the provider before relying on them',
  }[confidence]
  return [`${certainty}.`, `Sources: ${keys.map((key) => sources[key] ?? key).join('; ')}.`]
}

function ofTerritory({ like, ...own }: TerritoryRow): CountryRequirements {
  const row = ownRows.get(like)
  if (row === undefined) {
    throw new Error(`data/country-requirements.json: ${own.country} is like ${like}, which is not listed`)
  }
  return { ...row, ...own, notes: [...row.notes, `As in ${row.name}.`] }
}
