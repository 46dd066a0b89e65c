/** Reads which registry tells of the companies of each country. */

/** What there is: a file of invented companies, and the registry of Norway. */
export type RegistryName = keyof typeof COUNTRIES_BY_REGISTRY

/** The registry of each country by its ISO 3166-1 code; a country without one is looked after by people. */
export type RegistrySettings = Readonly<Partial<Record<string, RegistryName>>>

const COUNTRIES_BY_REGISTRY = { sample: ['NO', 'SE', 'DK', 'FI'], brreg: ['NO'] } as const
const IN_SANDBOX: RegistrySettings = { NO: 'sample', SE: 'sample', DK: 'sample', FI: 'sample' }
const NOWHERE = 'none'

/** Without a text the sandbox has its invented companies and production has no registry; faults go to `problems`. */
export function readCompanyRegistries(
  { name, text }: { readonly name: string; readonly text: string },
  { mode, problems }: { readonly mode: 'sandbox' | 'production'; readonly problems: string[] },
): RegistrySettings {
  if (text === '' || text === NOWHERE) {
    return text === '' && mode === 'sandbox' ? IN_SANDBOX : {}
  }
  const chosen: Partial<Record<string, RegistryName>> = {}
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [country = '', registry = ''] = entry.split(':')
    const fault = faultOf(entry, { country, registry, mode, isTwice: country in chosen })
    if (fault === undefined && isRegistry(registry)) {
      chosen[country] = registry
    } else {
      problems.push(`${name} ${fault}`)
    }
  }
  return chosen
}

function faultOf(
  entry: string,
  given: { readonly country: string; readonly registry: string; readonly mode: string; readonly isTwice: boolean },
): string | undefined {
  const { country, registry, mode, isTwice } = given
  if (!/^[A-Z]{2}:[a-z]+$/.test(entry) || !isRegistry(registry)) {
    const known = Object.keys(COUNTRIES_BY_REGISTRY).join(', ')
    return `must be ${NOWHERE} or list countries with their registries, such as NO:brreg, not "${entry}" (there are: ${known})`
  }
  if (!COUNTRIES_BY_REGISTRY[registry].some((served) => served === country)) {
    return `names a registry that has no companies of that country: "${entry}"`
  }
  if (registry === 'sample' && mode === 'production') {
    return `names invented companies, which are for sandbox mode only: "${entry}"`
  }
  return isTwice ? `names ${country} twice` : undefined
}

function isRegistry(text: string): text is RegistryName {
  return Object.hasOwn(COUNTRIES_BY_REGISTRY, text)
}
