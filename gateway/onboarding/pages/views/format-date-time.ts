/** Writes a moment as people of a country read it: their language, their clock. */
import { countryRules } from '../../../countries/served-countries.ts'
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'

/** `22 November 2026 at 14:05`; Norwegian time where a country is not served. */
export function momentText(language: PageLanguage, countryCode: string, at: Temporal.Instant): string {
  const timeZone = countryRules(countryCode)?.timeZone ?? 'Europe/Oslo'
  const locale = language === 'en' ? 'en-GB' : language
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
  return format.format(at.epochMilliseconds)
}
