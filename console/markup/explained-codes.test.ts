/** Tests the explanations of codes: of every error of the API, and of the codes in texts of banks. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_CATALOGUE } from '../../contract/errors/error-catalogue.ts'
import tables from '../../data/bank-codes.json' with { type: 'json' }
import { CONSOLE_CATALOGUE } from '../texts/console-texts.ts'
import { apiCodeMarkup, bankTextMarkup, detailMarkup, detailsMarkup, reasonMarkup } from './explained-codes.ts'

const plain = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('every error code of the API has its meaning and leads to its entry in the documentation', () => {
  for (const code of Object.keys(ERROR_CATALOGUE)) {
    expect(apiCodeMarkup(code)).toContain(`href="/docs/errors#${code}"`)
    expect(plain(apiCodeMarkup(code)).length).toBeGreaterThan(code.length + ' More'.length + 10)
  }
  expect([apiCodeMarkup('Unheard'), apiCodeMarkup('')]).toEqual(['<code>Unheard</code>', ''])
})

test.each([
  ['AC04', 'AC04 the account is closed More'],
  ['AC04 ClosedAccountNumber', 'AC04 ClosedAccountNumber the account is closed More'],
  ['AC04: the account is closed', 'AC04: the account is closed'],
  ['RCVD, finalised', 'RCVD, finalised RCVD: received, and not checked yet More finalised: signed More'],
  ['The transfer failed', 'The transfer failed'],
  ['CONSENT_EXPIRED: <b>', 'CONSENT_EXPIRED: &#60;b&#62; the consent has expired More'],
  ['Purpose unknown', 'Purpose unknown'],
  [null, ''],
])('the text of a bank %j is shown as %j', (text, shown) => {
  expect(plain(bankTextMarkup(text))).toBe(shown)
})

test('no code is in two tables, and reasons of our own lead to their table in the guide', () => {
  const codes = Object.values(tables).flatMap(({ meanings }) => Object.keys(meanings))
  expect(new Set(codes).size).toBe(codes.length)
  expect(plain(reasonMarkup('PartlySigned'))).toBe('PartlySigned Another user must sign. More')
  expect(plain(reasonMarkup('Another'))).toBe('Another')
  const guide = readFileSync(new URL('../../docs/guides/statuses.md', import.meta.url), 'utf8')
  const tableOf = (chapter: string) =>
    guide.split(/^##+ /m).find((text) => chapter === text.split('\n')[0]?.toLowerCase().replaceAll(' ', '-'))
  for (const reason of Object.keys(CONSOLE_CATALOGUE.statusReasons)) {
    const [, chapter = ''] = /href="\/docs\/guides\/statuses#([^"]+)"/.exec(reasonMarkup(reason)) ?? []
    expect(tableOf(chapter), reason).toContain(`| \`${reason}\` `)
  }
})

test('details have reasons of ours under their names only', () => {
  expect(plain(detailMarkup('errorKind', 'unavailable'))).toBe(
    'unavailable The bank did not answer, and did nothing. More',
  )
  expect(plain(detailMarkup('status', 'unknown'))).toBe('unknown')
  expect(plain(detailsMarkup({ why: 'late', inner: { text: 'AC04 InvalidAmount' } }))).toMatch(
    /^why: late, inner: \(text: AC04 InvalidAmount\) late: The quote had .* More AC04: the account is closed More InvalidAmount: /,
  )
  expect(detailsMarkup({})).toBe('')
})
