/** Looks texts up in a catalogue, by key, with values for their placeholders and the plural form of their number. */
import { html } from 'ghtml'
import type { PageLanguage } from '../platform/http/pages/page-language.ts'

/** A text per plural category of the language (Unicode CLDR), selected by the value of `{count}`. */
export type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** The paths of the texts of a catalogue: `onboarding.start.begin`. */
export type KeysOf<Group> = {
  [Name in keyof Group & string]: Group[Name] extends string | PluralText ? Name : `${Name}.${KeysOf<Group[Name]>}`
}[keyof Group & string]

/** What replaces the placeholders of a text, by their names. */
export type TextValues = Readonly<Record<string, string | number>>

/** The texts of a catalogue in one language. */
export type CatalogueTexts<Key extends string> = {
  readonly language: PageLanguage
  /** Plain text: templates escape it like any other value. */
  readonly text: (key: Key, values?: TextValues) => string
  /** A text as markup, in which the values are escaped and the names of the partner and the company emphasised. */
  readonly markup: (key: Key, values: TextValues) => string
}

const PLACEHOLDER = /\{(\w+)\}/g
const EMPHASISED = ['partner', 'company']

/** Every text of a catalogue, or of a group in it, by its key. */
export function textsByKey(group: object, prefix = ''): ReadonlyMap<string, string | PluralText> {
  const texts = Object.entries(group).flatMap(([name, text]: [string, string | PluralText | object]) =>
    typeof text === 'string' || 'other' in text
      ? [[`${prefix}${name}`, text] as const]
      : [...textsByKey(text, `${prefix}${name}.`)],
  )
  return new Map(texts)
}

/** The texts of a catalogue. */
export function catalogueTexts<Catalogue extends object>(
  language: PageLanguage,
  catalogue: Catalogue,
): CatalogueTexts<KeysOf<Catalogue>> {
  const texts = textsByKey(catalogue)
  const plurals = new Intl.PluralRules(language)
  const find = (key: string, values: TextValues): string => {
    const text = texts.get(key)
    return typeof text === 'object' ? (text[plurals.select(Number(values['count']))] ?? text.other) : (text ?? key)
  }
  return {
    language,
    text: (key, values = {}) => fill(find(key, values), values, (_name, value) => value),
    markup: (key, values) =>
      fill(html`${find(key, values)}`, values, (name, value) =>
        EMPHASISED.includes(name) ? html`<strong>${value}</strong>` : html`${value}`,
      ),
  }
}

/** In one pass: a value that looks like a placeholder stays as it is. */
function fill(text: string, values: TextValues, format: (name: string, value: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (_placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) {
      throw new Error(`The text “${text}” needs a value for {${name}}`)
    }
    return format(name, String(value))
  })
}
