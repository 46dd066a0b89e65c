/** Formats a time in a country's language and time zone. */
import { countryRules, rulesByCountry } from '../../../countries/served-countries.ts'
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'

/** E.g. `22 November 2026 at 14:05`; Norwegian time for unsupported countries. */
export function formatDateTime(language: PageLanguage, countryCode: string, at: Temporal.Instant): string {
  const timeZone = countryRules(countryCode)?.timeZone ?? rulesByCountry.NO.timeZone
  const locale = language === 'en' ? 'en-GB' : language
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
  return format.format(at.epochMilliseconds)
}
