/** The language in which an identity provider is asked to speak, by the country of the person's eID. */

const languageByCountry: Readonly<Record<string, string>> = { NO: 'nb', SE: 'sv', DK: 'da', FI: 'fi' }

/** English where the country has no language here. */
export function countryLanguage(countryCode: string): string {
  return languageByCountry[countryCode] ?? 'en'
}
