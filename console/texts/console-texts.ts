/** Returns the texts of the console; it is in English only. */
import { type CatalogueTexts, catalogueTexts, type KeysOf } from '../../gateway/page-texts/text-catalogue.ts'
import english from './en.json' with { type: 'json' }

/** The path of a text in the catalogue: `signIn.title`. */
export type ConsoleTextKey = KeysOf<typeof english>

export const CONSOLE_CATALOGUE = english

const texts: CatalogueTexts<ConsoleTextKey> = catalogueTexts('en', english)

/** The text of a key, with the values of its placeholders. */
export const consoleText = texts.text
