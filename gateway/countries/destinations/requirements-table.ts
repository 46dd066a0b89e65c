/** Parses and checks the table of country requirements at start, so that mistakes are found early. */

import { type Static, Type } from 'typebox'
import table from '../../../data/country-requirements.json' with { type: 'json' }
import { closed } from '../../platform/closed-schema.ts'
import { LOCAL_ACCOUNT_CHECKS } from './local-account.ts'
import { checkedTable, PURPOSE_LISTS } from './purpose-codes.ts'
import { TAX_CODE_CHECKS } from './tax-codes.ts'

const Filled = Type.String({ pattern: '\\S' })
const CountryCode = Type.String({ pattern: '^[A-Z]{2}$' })
const Pattern = Type.String({ format: 'regex', pattern: '^\\^.*\\$$' })
const Currencies = Type.Array(Type.String({ pattern: '^[A-Z]{3}$' }), { minItems: 1, uniqueItems: true })
const Source = Type.Enum(Object.keys(table.sources))
const Confidence = Type.Enum(['sourced', 'partly', 'own'])

const Row = closed({
  country: CountryCode,
  name: Filled,
  /** An example; the format is that of the IBAN registry. */
  iban: Type.Optional(Filled),
  local: Type.Optional(
    closed({ pattern: Pattern, example: Filled, check: Type.Optional(Type.Enum([...LOCAL_ACCOUNT_CHECKS])) }),
  ),
  clearingCode: Type.Optional(
    closed({
      scheme: Filled,
      name: Filled,
      pattern: Pattern,
      example: Filled,
      required: Type.Enum(['always', 'without-iban', 'never']),
    }),
  ),
  address: Type.Array(Type.Enum(['streetName', 'buildingNumber', 'city', 'postCode', 'country']), { minItems: 2 }),
  postCode: Type.Optional(closed({ pattern: Pattern, example: Filled })),
  /** The country's own currency first, if it is accepted. */
  currencies: Currencies,
  purpose: Type.Optional(
    closed({
      list: Type.Enum([...PURPOSE_LISTS]),
      required: Type.Boolean(),
      /** Absent for all currencies. */
      currencies: Type.Optional(Currencies),
      above: Type.Optional(closed({ amount: Type.String({ pattern: '^[0-9]+\\.[0-9]+$' }), currency: Filled })),
    }),
  ),
  reason: Type.Optional(closed({ currencies: Type.Optional(Currencies) })),
  taxCode: Type.Optional(
    closed({
      name: Filled,
      check: Type.Enum([...TAX_CODE_CHECKS]),
      pattern: Pattern,
      example: Filled,
      required: Type.Boolean(),
    }),
  ),
  payoutBankDays: Type.Integer({ minimum: 1, maximum: 5 }),
  notes: Type.Array(Filled),
  sources: Type.Array(Source, { minItems: 1 }),
  confidence: Confidence,
})

/** The requirements of one country: its row of the table; for a territory, with its own overrides. */
export type CountryRequirements = Static<typeof Row>

/** A territory with the rules of another country, except for the fields given here. */
const Territory = closed({
  country: CountryCode,
  name: Filled,
  like: CountryCode,
  iban: Type.Optional(Filled),
  postCode: closed({ pattern: Pattern, example: Filled }),
})

const Blocked = closed({ country: CountryCode, name: Filled, sources: Type.Array(Source), confidence: Confidence })

const Table = Type.Object({
  sources: Type.Record(Type.String(), Filled),
  countries: Type.Array(Row),
  territories: Type.Array(Territory),
  blocked: Type.Array(Blocked),
})

const { countries, territories, blocked, sources } = checkedTable(Table, 'country-requirements.json', table)

const ownRows: ReadonlyMap<string, CountryRequirements> = new Map(countries.map((row) => [row.country, row]))
const requirementsByCountry: ReadonlyMap<string, CountryRequirements> = new Map([
  ...ownRows,
  ...territories.map((row): [string, CountryRequirements] => [row.country, ofTerritory(row)]),
])

/** The requirements of a country (ISO 3166-1 alpha-2); undefined if it is blocked or unknown. */
export function requirementsOf(country: string): CountryRequirements | undefined {
  return requirementsByCountry.get(country)
}

/**
 * All known countries, sorted by name; whether payments to them are supported; and the payout currencies, the country's
 * own first.
 */
export const listedCountries = [
  ...[...requirementsByCountry.values()].map(({ country, name, currencies }) => ({
    country,
    name,
    supported: true,
    currencies,
  })),
  ...blocked.map(({ country, name }) => ({ country, name, supported: false, currencies: [] })),
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

function ofTerritory({ like, ...own }: Static<typeof Territory>): CountryRequirements {
  const row = ownRows.get(like)
  if (row === undefined) {
    throw new Error(`data/country-requirements.json: ${own.country} is like ${like}, which is not listed`)
  }
  return { ...row, ...own, notes: [...row.notes, `As in ${row.name}.`] }
}
