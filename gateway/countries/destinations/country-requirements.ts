/** Tells what a receiver in a country needs for a payment from abroad, and to which countries nothing is paid. */
import { type RequirementsRow, requirementsTable, type TerritoryRow } from './requirements-table.ts'

/** What a receiver in one country needs; the row of the table, a territory's with what is its own. */
export type CountryRequirements = RequirementsRow

/** A country as lists show it. */
export type CountryKnown = {
  readonly country: string
  readonly name: string
  /** Whether payments go there. */
  readonly supported: boolean
  /** What receivers there can be paid in, the country's own first; none where nothing is paid. */
  readonly currencies: readonly string[]
}

const { countries, territories, blocked, sources } = requirementsTable

const ownRows: ReadonlyMap<string, CountryRequirements> = new Map(countries.map((row) => [row.country, row]))
const requirementsByCountry: ReadonlyMap<string, CountryRequirements> = new Map([
  ...ownRows,
  ...territories.map((row): [string, CountryRequirements] => [row.country, ofTerritory(row)]),
])
const blockedByCountry: ReadonlyMap<string, CountryKnown> = new Map(
  blocked.map(({ country, name }) => [country, { country, name, supported: false, currencies: [] }]),
)

/** What a receiver in this country (ISO 3166-1 alpha-2) needs; undefined where nothing is paid, or nothing is known. */
export function requirementsOf(country: string): CountryRequirements | undefined {
  return requirementsByCountry.get(country)
}

/** Whether nothing may be paid there. */
export function isBlocked(country: string): boolean {
  return blockedByCountry.has(country)
}

/** The countries of which something is known, by name. */
export const countriesKnown: readonly CountryKnown[] = [
  ...[...requirementsByCountry.values()].map(({ country, name, currencies }) => ({
    country,
    name,
    supported: true,
    currencies,
  })),
  ...blockedByCountry.values(),
].sort((one, other) => one.name.localeCompare(other.name, 'en'))

/** Where the requirements come from, and how certain they are, in sentences. */
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
