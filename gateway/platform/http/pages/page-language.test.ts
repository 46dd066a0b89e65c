/** Tests which language a browser gets. */
import { expect, test } from 'vitest'
import { languageOf } from './page-language.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['nb-NO,nb;q=0.9,no;q=0.8,nn;q=0.7,en-US;q=0.6,en;q=0.5', 'nb'],
  ['nn', 'nb'],
  ['no', 'nb'],
  ['sv-SE, sv;q=0.9, en;q=0.8', 'sv'],
  ['sv-FI,fi;q=0.9', 'sv'],
  ['da', 'da'],
  ['fi-FI', 'fi'],
  ['de-DE,de;q=0.9', 'en'],
  ['de-DE,de;q=0.9,da;q=0.2', 'da'],
  ['en;q=0.1,fi;q=0.2', 'fi'],
  ['fi;q=0,sv', 'sv'],
  ['garbage;;;q=x,,,', 'en'],
  ['constructor', 'en'],
  ['SV-se', 'sv'],
])('a browser that accepts %j gets %s', (accepted, language) => {
  expect(languageOf({ headers: accepted === undefined ? {} : { 'accept-language': accepted } })).toBe(language)
})

test.each([
  [undefined, 'fi'],
  ['*', 'fi'],
  ['de-DE,de;q=0.9', 'fi'],
  ['de, *;q=0.5', 'fi'],
  ['de-DE,de;q=0.9,en;q=0.8', 'en'],
  ['sv', 'sv'],
])('in Finland a browser that accepts %j gets %s', (accepted, language) => {
  const headers = accepted === undefined ? {} : { 'accept-language': accepted }
  expect(languageOf({ headers }, 'fi')).toBe(language)
})

test.each([
  [{ language: 'sv' }, 'havn_language=fi', 'sv'],
  [{ language: 'sv' }, undefined, 'sv'],
  [{}, 'a=b; havn_language=fi', 'fi'],
  [{}, '__Host-havn_language=nb; c=d', 'nb'],
  [{ language: 'xx' }, 'havn_language=fi', 'fi'],
  [{ language: ['sv', 'fi'] }, undefined, 'da'],
  [undefined, 'havn_language=xx', 'da'],
  [undefined, 'not_havn_language=fi', 'da'],
])('the choice %j, then the stored one %j, precede what the browser accepts: %s', (query, cookie, language) => {
  const headers = { 'accept-language': 'da', ...(cookie === undefined ? {} : { cookie }) }
  expect(languageOf({ headers, query })).toBe(language)
})
