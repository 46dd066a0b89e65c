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
])('a browser that accepts %j gets %s', (accepted, language) => {
  expect(languageOf({ 'accept-language': accepted })).toBe(language)
})
