/** Shows the page of a browser in every language that we write: browsers of each language go where that one is. */
import { expect } from 'vitest'
import { PAGE_LANGUAGES, type PageLanguage } from '../../platform/http/pages/page-language.ts'
import { eventually } from '../gateway/eventually.ts'
import type { Visitor, VisitorOptions } from './browser-user.ts'

/** What a browser says by itself in each country. */
const localeByLanguage: Readonly<Record<PageLanguage, string>> = {
  en: 'en-GB',
  nb: 'nb-NO',
  sv: 'sv-SE',
  da: 'da-DK',
  fi: 'fi-FI',
}

/** What must be on the page. */
type Check = (language: PageLanguage, visitor: Visitor) => Promise<void>

/** One user with a browser of each language. */
export type ManyLanguages = {
  /** The one who acts: the English browser. */
  readonly user: Visitor
  /**
   * Judges that the user's page fits in each language, and names the language it is written in. What else axe-core has to
   * say of the page no translation changes: the test that shows it in English looks at it. The address is where the user
   * is after the check; it is given when the check itself leads elsewhere.
   */
  see(name: string, check: Check, address?: string): Promise<void>
}

/** Opens the browsers. */
export async function openManyLanguages(
  open: (options: VisitorOptions) => Promise<Visitor>,
  album: string,
): Promise<ManyLanguages> {
  const user = await open({ album, language: localeByLanguage.en })
  const readers = new Map<PageLanguage, Visitor>()
  for (const language of PAGE_LANGUAGES.filter((each) => each !== 'en')) {
    readers.set(language, await open({ album, language: localeByLanguage[language] }))
  }
  return {
    user,
    see: async (name, check, given) => {
      await check('en', user)
      // Until it shows what is checked, the browser may be on its way here from the bank.
      const address = given ?? user.page.url()
      expect(await languageOf(user)).toBe('en')
      await user.fit(`en-${name}`)
      const cookies = await user.page.context().cookies()
      for (const [language, reader] of readers) {
        await reader.page.context().addCookies(cookies)
        // A page that waits for the bank reads itself anew, and may do so at this moment.
        await eventually(() => reader.page.goto(address))
        await check(language, reader)
        expect(await languageOf(reader)).toBe(language)
        await reader.fit(`${language}-${name}`)
      }
    },
  }
}

async function languageOf({ page }: Visitor): Promise<string | null> {
  return await page.locator('html').getAttribute('lang')
}
