/** Describes the setting that assigns company registries to countries. */
import { SERVED_COUNTRIES } from '../countries/served-countries.ts'
import { listIn, type Mode, type SettingSource, text } from '../platform/setting.ts'

/** The available registries: a file of sample companies, and the Norwegian register. */
export type RegistryName = keyof typeof COUNTRIES_BY_REGISTRY

/** The registry of each country by its ISO 3166-1 code; companies of a country without one are checked manually. */
export type RegistrySettings = Readonly<Partial<Record<string, RegistryName>>>

const COUNTRIES_BY_REGISTRY = { sample: SERVED_COUNTRIES, brreg: ['NO'] } as const
const SANDBOX_REGISTRIES: RegistrySettings = Object.fromEntries(SERVED_COUNTRIES.map((country) => [country, 'sample']))
const NO_REGISTRY = 'none'

/** If unset, the sandbox uses the sample companies and production no registry. */
export const companyRegistries = text(
  'HAVN_COMPANY_REGISTRIES',
  '',
  'the company registry of each country, e.g. `NO:brreg`; `none` (the default in production) for no registry',
  parseRegistries,
)

function parseRegistries(given: string, { mode, reject }: SettingSource): RegistrySettings {
  if (given === '' || given === NO_REGISTRY) {
    return given === '' && mode === 'sandbox' ? SANDBOX_REGISTRIES : {}
  }
  const chosen: Partial<Record<string, RegistryName>> = {}
  for (const entry of listIn(given)) {
    const [country = '', registry = ''] = entry.split(':')
    const error = errorOf(entry, mode) ?? (country in chosen ? `lists ${country} twice` : undefined)
    if (error === undefined && isRegistry(registry)) {
      chosen[country] = registry
    } else {
      reject(`HAVN_COMPANY_REGISTRIES ${error}`)
    }
  }
  return chosen
}

function errorOf(entry: string, mode: Mode): string | undefined {
  const [country = '', registry = ''] = entry.split(':')
  if (!/^[A-Z]{2}:[a-z]+$/.test(entry) || !isRegistry(registry)) {
    const known = Object.keys(COUNTRIES_BY_REGISTRY).join(', ')
    return `must be ${NO_REGISTRY} or list countries with registries, such as NO:brreg, not "${entry}" (registries: ${known})`
  }
  if (!COUNTRIES_BY_REGISTRY[registry].some((served) => served === country)) {
    return `names a registry that does not serve that country: "${entry}"`
  }
  return registry === 'sample' && mode === 'production'
    ? `names the sample registry, which is for sandbox mode only: "${entry}"`
    : undefined
}

function isRegistry(text: string): text is RegistryName {
  return Object.hasOwn(COUNTRIES_BY_REGISTRY, text)
}
