/** Shows the current page of a browser in English and in translations, with one browser per language. */
import { expect } from 'vitest'
import { LANGUAGE_COOKIE } from '../../platform/http/pages/page-cookie.ts'
import type { PageLanguage } from '../../platform/http/pages/page-language.ts'
import { eventually } from '../gateway/eventually.ts'
import type { BrowserUser, BrowserUserOptions } from './browser-user.ts'

/** The default language of browsers in each country. */
const localeByLanguage: Readonly<Record<PageLanguage, string>> = {
  en: 'en-GB',
  nb: 'nb-NO',
  sv: 'sv-SE',
  da: 'da-DK',
  fi: 'fi-FI',
}

/**
 * All translations go through the same code, and the catalogues have the same texts (`page-texts.test.ts`): the one with
 * the longest words shows whether a page fits, and in long runs all do.
 */
const TRANSLATIONS = (['fi', 'nb', 'sv', 'da'] as const).slice(0, Number(process.env['HAVN_PAGE_TRANSLATIONS'] ?? 1))

/** The check of a page. */
type Check = (language: PageLanguage, visitor: BrowserUser) => Promise<void>

/** One user with a browser per language. */
export type MultiLanguageUser = {
  /** The active browser: the English one. */
  readonly user: BrowserUser
  /**
   * Checks the texts and the `lang` attribute of the user's page in English and in the translations, and the layout of
   * these. The other axe-core rules do not depend on the translation: they and the layout in English are covered by the
   * journeys in English. The address is the user's URL after the check; it is given when the check itself navigates.
   */
  see(name: string, check: Check, address?: string): Promise<void>
}

/** Opens the browsers. */
export async function openMultiLanguageUser(
  open: (options: BrowserUserOptions) => Promise<BrowserUser>,
  album: string,
): Promise<MultiLanguageUser> {
  const user = await open({ album, language: localeByLanguage.en })
  const readers = new Map<PageLanguage, BrowserUser>()
  for (const language of TRANSLATIONS) {
    readers.set(language, await open({ album, language: localeByLanguage[language] }))
  }
  return {
    user,
    see: async (name, check, given) => {
      await check('en', user)
      // The browser may still be navigating here from the bank.
      const address = given ?? user.page.url()
      expect(await languageOf(user)).toBe('en')
      const all = await user.page.context().cookies()
      const cookies = all.filter(({ name }) => name !== LANGUAGE_COOKIE)
      for (const [language, reader] of readers) {
        await reader.page.context().addCookies(cookies)
        // A page that waits for the bank reloads itself, possibly at this moment.
        await eventually(() => reader.page.goto(address))
        await check(language, reader)
        expect(await languageOf(reader)).toBe(language)
        await reader.fit(`${language}-${name}`)
      }
    },
  }
}

async function languageOf({ page }: BrowserUser): Promise<string | null> {
  return await page.locator('html').getAttribute('lang')
}
