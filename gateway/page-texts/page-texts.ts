/** Returns the texts of the hosted pages in the language of a page, from one JSON catalogue per language. */
import { html } from 'ghtml'
import type { PageLanguage } from '../platform/http/pages/page-language.ts'
import danish from './da.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }
import finnish from './fi.json' with { type: 'json' }
import norwegian from './nb.json' with { type: 'json' }
import swedish from './sv.json' with { type: 'json' }

/** A text per plural category of the language (Unicode CLDR), selected by the value of `{count}`. */
export type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

type KeysOf<Group> = {
  [Name in keyof Group & string]: Group[Name] extends string | PluralText ? Name : `${Name}.${KeysOf<Group[Name]>}`
}[keyof Group & string]

/** The path of a text in the catalogues: `onboarding.start.begin`. */
export type TextKey = KeysOf<typeof english>

/** What replaces the placeholders of a text, by their names. */
export type TextValues = Readonly<Record<string, string | number>>

/** The texts of a language. */
export type PageTexts = {
  readonly language: PageLanguage
  /** Plain text: templates escape it like any other value. */
  readonly text: (key: TextKey, values?: TextValues) => string
  /** A text as markup, in which the values are escaped and the names of the partner and the company emphasised. */
  readonly markup: (key: TextKey, values: TextValues) => string
}

/** A catalogue that lacks an English text is a compile error. */
export const CATALOGUES: Readonly<Record<PageLanguage, typeof english>> = {
  en: english,
  nb: norwegian,
  sv: swedish,
  da: danish,
  fi: finnish,
}
const PLACEHOLDER = /\{(\w+)\}/g
const EMPHASISED = ['partner', 'company']

const textsByLanguage: Readonly<Record<PageLanguage, PageTexts>> = {
  en: pageTexts('en'),
  nb: pageTexts('nb'),
  sv: pageTexts('sv'),
  da: pageTexts('da'),
  fi: pageTexts('fi'),
}

/** The texts of the pages in a language. */
export function textsIn(language: PageLanguage): PageTexts {
  return textsByLanguage[language]
}

/** Every text of a catalogue, or of a group in it, by its key. */
export function textsByKey(group: object, prefix = ''): ReadonlyMap<string, string | PluralText> {
  const texts = Object.entries(group).flatMap(([name, text]: [string, string | PluralText | object]) =>
    typeof text === 'string' || 'other' in text
      ? [[`${prefix}${name}`, text] as const]
      : [...textsByKey(text, `${prefix}${name}.`)],
  )
  return new Map(texts)
}

function pageTexts(language: PageLanguage): PageTexts {
  const texts = textsByKey(CATALOGUES[language])
  const plurals = new Intl.PluralRules(language)
  const find = (key: TextKey, values: TextValues): string => {
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
