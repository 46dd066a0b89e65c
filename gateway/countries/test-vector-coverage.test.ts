/** Tests that every suite of the test vectors is used by the test named here. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import vectors from '../../data/test-vectors.json' with { type: 'json' }

const HERE = 'gateway/countries'

const testBySuite: Readonly<Record<string, string>> = {
  noAccount: `${HERE}/norway/norway.test.ts`,
  noIban: `${HERE}/norway/norway.test.ts`,
  kid: `${HERE}/norway/norway.test.ts`,
  orgnrNO: `${HERE}/norway/norway.test.ts`,
  seAccount: `${HERE}/sweden/sweden.test.ts`,
  bankgiro: `${HERE}/sweden/sweden.test.ts`,
  plusgiro: `${HERE}/sweden/sweden.test.ts`,
  ocrSe: `${HERE}/sweden/sweden.test.ts`,
  ocrSeMake: `${HERE}/sweden/sweden.test.ts`,
  orgnrSE: `${HERE}/sweden/sweden.test.ts`,
  dkAccount: `${HERE}/denmark/denmark.test.ts`,
  fik: `${HERE}/denmark/denmark.test.ts`,
  fikId: `${HERE}/denmark/denmark.test.ts`,
  fikLine: `${HERE}/denmark/denmark.test.ts`,
  cvr: `${HERE}/denmark/denmark.test.ts`,
  fiBban: `${HERE}/finland/finland.test.ts`,
  viite: `${HERE}/finland/finland.test.ts`,
  rf: `${HERE}/finland/finland.test.ts`,
  rfMake: `${HERE}/finland/finland.test.ts`,
  ytunnus: `${HERE}/finland/finland.test.ts`,
  iban: `${HERE}/iban.test.ts`,
  bic: `${HERE}/iban.test.ts`,
  sepaText: `${HERE}/character-sets.test.ts`,
  clearing: `${HERE}/clearing-codes.test.ts`,
  taxCode: `${HERE}/destinations/tax-codes.test.ts`,
  regulatoryReporting: 'gateway/fx/rates/reporting-thresholds.test.ts',
  bankDay: `${HERE}/bank-days.test.ts`,
  addBankDays: `${HERE}/bank-days.test.ts`,
  nextBankDay: `${HERE}/bank-days.test.ts`,
  prevBankDay: `${HERE}/bank-days.test.ts`,
  bankIdQr: 'sandbox/bank/authorisations/bank-id-code.test.ts',
}

describe('the test vectors', () => {
  test('are 31 suites, all of them listed here, none empty', () => {
    expect(Object.keys(vectors.suites).toSorted()).toEqual(Object.keys(testBySuite).toSorted())
    expect(Object.values(vectors.suites).filter((suite) => suite.length === 0)).toEqual([])
    expect(Object.keys(vectors.suites)).toHaveLength(31)
  })

  test.each(Object.entries(testBySuite))('%s are run in %s', (suite, path) => {
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    expect(text).toContain('test-vectors.json')
    // Taken from the file where it is used, or at the top together with others.
    expect(text).toMatch(new RegExp(`vectors\\.suites\\.${suite}\\b|\\{[^}]*\\b${suite}\\b[^}]*\\} = vectors\\.suites`))
    expect(text).toMatch(new RegExp(`test\\.each\\([^)]*\\b${suite}\\b`))
  })
})
