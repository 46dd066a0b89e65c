/** The language requested at an identity provider, by the country of the eID. */

const languageByCountry: Readonly<Record<string, string>> = { NO: 'nb', SE: 'sv', DK: 'da', FI: 'fi' }

/** The country's language; English for other countries. */
export function countryLanguage(countryCode: string): string {
  return languageByCountry[countryCode] ?? 'en'
}
