/** Tests how recorded responses of Norway's registers are parsed, and which need a manual review. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recording } from '../testing/recorded-registers.ts'
import { dayOf, rolesOf, signingRightsOf } from './translate.ts'
import { readRoles, readSignature } from './wire.ts'

const roles = rolesOf(readRoles(recording('roles')) ?? {})

function rightsIn(name: string, edit: (text: string) => string = (text) => text) {
  const signature = readSignature(edit(recording(name)))
  if (signature === undefined) {
    throw new Error(`The recording ${name} is not of its shape`)
  }
  return signingRightsOf(signature, roles)?.map((rule) =>
    rule.kind === 'persons' ? rule.persons.map(({ name: { family } }) => family).join('+') : rule.kind,
  )
}

describe('signing rights', () => {
  test('are the combinations that the service computed, by a known rule or by law', () => {
    expect(rightsIn('signature-understood')).toEqual(['Ødegård+Lie-Hagen', 'Strøm+Ødegård', 'Strøm+Lie-Hagen'])
    expect(rightsIn('signature-by-law')).toEqual(['Ødegård+Lie-Hagen'])
  })

  test('need a manual review where the company’s own rule was not understood, although the law would let the board sign', () => {
    expect(rightsIn('signature-not-understood')).toBeUndefined()
    expect(rightsIn('signature-not-understood', (text) => text.replace('"RT"', '"RI"'))).toBeUndefined()
    expect(rightsIn('signature-not-understood', (text) => text.replace('"RT"', '"??"'))).toBeUndefined()
  })

  test('need a manual review where the service did not run, or found nothing', () => {
    expect(rightsIn('signature-not-run')).toBeUndefined()
    expect(rightsIn('signature-by-law', (text) => text.replace('"kode": "OK"', '"kode": "NA"'))).toBeUndefined()
    expect(rightsIn('signature-by-law', (text) => text.replace('"kombinasjon":', '"annet":'))).toBeUndefined()
  })

  test('omit combinations with restrictions in words, or with anything but persons', () => {
    expect(rightsIn('signature-limited')).toEqual(['Ødegård+Lie-Hagen'])
    const withoutCompany = (text: string) => text.replace(/,\s*"enhetRolleKombinasjon": \[[^\]]*\]/, '')
    expect(rightsIn('signature-limited', withoutCompany)).toEqual(['Ødegård+Lie-Hagen'])
  })

  test('omit combinations with a person without birth date or name', () => {
    const spoilt = (from: string, to: string) => rightsIn('signature-by-law', (text) => text.replaceAll(from, to))
    expect(spoilt('"24.12.1966"', '""')).toBeUndefined()
    expect(spoilt('"24.12.1966"', '"31.02.1966"')).toBeUndefined()
    expect(spoilt('"fodselsdato": "28.02.1979",', '')).toBeUndefined()
    expect(spoilt('"Turid Ødegård"', '" "')).toBeUndefined()
  })

  test('have a name in its parts from the roles, and split it before the last word otherwise', () => {
    const signature = readSignature(recording('signature-by-law').replaceAll('Turid', 'Turid Marie'))
    const [known] = (signature && signingRightsOf(signature, roles)) ?? []
    const [cut] = (signature && signingRightsOf(signature, [])) ?? []
    expect(known?.kind === 'persons' && known.persons[0]?.name).toEqual({ given: 'Turid', family: 'Ødegård' })
    expect(cut?.kind === 'persons' && cut.persons[0]?.name).toEqual({ given: 'Turid Marie', family: 'Ødegård' })
  })
})

describe('roles', () => {
  const spoilt = (from: string, to: string) =>
    rolesOf(readRoles(recording('roles').replaceAll(from, to)) ?? {}).map(({ person }) => person.name.given)

  test('omit persons who resigned or died, auditors and observers, and ambiguous persons', () => {
    const all = ['Håkon Emil', 'Turid', 'Bjørnar', 'Solveig']
    expect(roles.map(({ person }) => person.name.given)).toEqual(all)
    expect(spoilt('"1966-12-24"', '""')).toEqual(['Håkon Emil', 'Bjørnar', 'Solveig'])
    expect(spoilt('"Ødegård"', '""')).toEqual(['Håkon Emil', 'Bjørnar', 'Solveig'])
    expect(spoilt('"kode": "LEDE"', '"kode": "constructor"')).toEqual(['Håkon Emil', 'Bjørnar', 'Solveig'])
    expect(spoilt('"fratraadt": false', '"avregistrert": true')).toEqual([])
  })

  test('may be empty', () => {
    expect([rolesOf({}), rolesOf({ rollegrupper: [{}] })]).toEqual([[], []])
  })
})

test('a date is parsed in both of its formats, and nothing else is one', () => {
  const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(days, (date) => {
      const day = date.toISOString().slice(0, 10)
      expect([dayOf(day), dayOf(day.split('-').reverse().join('.'))]).toEqual([day, day])
    }),
  )
  expect([undefined, '', '1975', '12.10.75', '1975-13-05', '31.02.2000', 'x'].map(dayOf)).toEqual(
    Array.from({ length: 7 }, () => undefined),
  )
})
