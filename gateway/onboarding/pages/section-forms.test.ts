/** Tests how each section's form is parsed, and that parsed values are shown in its fields again. */
import { describe, expect, it, test } from 'vitest'
import { textsIn } from '../../page-texts/page-texts.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import { NO_ANSWERS } from '../store/onboarding-answers.ts'
import { companyShown, readCompanyForm } from './views/company-page.ts'
import { changedOwners, ownersShown, percentText, readOwnersForm } from './views/owners-page.ts'
import { readTermsForm } from './views/signer-pages.ts'
import { changedSigners, readSignersForm, signersShown } from './views/signers-page.ts'

const sent = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields)

const KARI = { name: { given: 'Kari Anne', family: 'Nordmann' }, birthDate: '1980-02-01' }
const OLA = { name: { given: 'Ola', family: 'Hansen' }, birthDate: '1975-12-24' }
const REGISTERED: RegisteredCompany = {
  countryCode: 'NO',
  organisationNumber: '987654325',
  name: 'Nordlys Handel AS',
  organisationForm: 'AS',
  address: { street: 'Storgata 1', postCode: '0155', city: 'Oslo', countryCode: 'NO' },
  isActive: true,
  isBankrupt: false,
  isInLiquidation: false,
  isInReconstruction: false,
  roles: [
    { role: 'chair', person: KARI },
    { role: 'managing-director', person: KARI },
    { role: 'board-member', person: OLA },
  ],
  signingRights: [{ kind: 'roles', needs: [{ roles: ['chair', 'board-member'], count: 2 }] }],
  beneficialOwners: [
    { person: KARI, nationality: 'NO', country: 'SE', ownershipPercent: 60, isPoliticallyExposed: true },
    { person: OLA, nationality: 'NO', country: 'NO', ownershipPercent: null, isPoliticallyExposed: null },
  ],
  registeredAt: '2001-02-03',
  source: 'sample',
  readAt: '2026-11-20T10:00:00Z',
}
const OWNER = {
  'owners.0.name': 'Kari Nordmann',
  'owners.0.birthDate': '1/2 1980',
  'owners.0.nationality': 'NO',
  'owners.0.country': 'SE',
  'owners.0.ownershipPercent': '33,5 %',
  'owners.0.isPoliticallyExposed': 'no',
}

describe('company details', () => {
  it('come from the registry until the first save', () => {
    const shown = companyShown({ ...NO_ANSWERS, registered: REGISTERED })
    expect(shown).toMatchObject({
      name: 'Nordlys Handel AS',
      address: { streetName: 'Storgata 1', city: 'Oslo' },
      email: '',
    })
  })

  it('are shown as they were entered, also an emptied field', () => {
    const typed = readCompanyForm(sent({ 'address.city': '', email: 'x', phone: '1', name: 'Y' }))
    expect(companyShown({ ...NO_ANSWERS, registered: REGISTERED, drafts: { CompanyDetails: typed } })).toEqual(typed)
  })
})

test.each([
  ['(+47) 22-33 44 55', '+47 22 33 44 55'],
  ['\u202a+47\u00a022\u201133.44\u201355\u202c', '+47 22 33 44 55'],
  ['call me (now)', 'call me (now)'],
])('the phone number %j is %j, and nothing in a form is invisible', (phone, plain) => {
  const typed = { phone, email: '\u200bpost@exam\u00adple.com', 'address.city': 'Ber\u200dgen' }
  expect(readCompanyForm(sent(typed))).toMatchObject({
    phone: plain,
    email: 'post@example.com',
    address: { city: 'Bergen' },
  })
})

describe('owners', () => {
  it('accept usual formats of numbers, dates and answers', () => {
    expect(readOwnersForm(sent({ nobodyOwnsMoreThanAQuarter: 'no', ...OWNER }))).toEqual({
      nobodyOwnsMoreThanAQuarter: false,
      owners: [
        {
          name: 'Kari Nordmann',
          birthDate: '1980-02-01',
          nationality: 'NO',
          country: 'SE',
          ownershipPercent: 33.5,
          isPoliticallyExposed: false,
        },
      ],
    })
  })

  it.each(['', 'a third', '1e9', '-30', '33.5.1', 'Infinity', '0x20'])(
    'keep a share of %j as it was entered',
    (share) => {
      expect(percentText(textsIn('nb'), share)).toBe(share)
      const { owners } = readOwnersForm(sent({ ...OWNER, 'owners.0.ownershipPercent': share }))
      expect(owners[0]?.ownershipPercent).toBe(share)
    },
  )

  it.each([
    ['en', '33.5'],
    ['nb', '33,5'],
  ] as const)('in %s, show a share as they write it, %s, also one that was copied', (language, shown) => {
    const { owners } = readOwnersForm(sent({ ...OWNER, 'owners.0.ownershipPercent': '33,5\u00a0%' }))
    expect(percentText(textsIn(language), owners[0]?.ownershipPercent ?? '')).toBe(shown)
  })

  it('are none where nothing was entered, and unanswered where nothing was selected', () => {
    const blank = Object.fromEntries(Object.keys(OWNER).map((name) => [name, '']))
    expect(readOwnersForm(sent(blank))).toEqual({ nobodyOwnsMoreThanAQuarter: null, owners: [] })
    expect(readOwnersForm(sent({ nobodyOwnsMoreThanAQuarter: 'perhaps' })).nobodyOwnsMoreThanAQuarter).toBeNull()
  })

  it('are shown as they were entered', () => {
    const typed = readOwnersForm(sent({ nobodyOwnsMoreThanAQuarter: 'no', ...OWNER }))
    const shown = ownersShown({ ...NO_ANSWERS, drafts: { BeneficialOwners: typed } })
    expect(shown.owners[0]).toMatchObject({
      name: 'Kari Nordmann',
      ownershipPercent: 33.5,
      isPoliticallyExposed: false,
    })
  })

  it('come from the registry at first, without the answer on political exposure', () => {
    const { nobodyOwnsMoreThanAQuarter, owners } = ownersShown({ ...NO_ANSWERS, registered: REGISTERED })
    expect(nobodyOwnsMoreThanAQuarter).toBe(false)
    expect(
      owners.map(({ name, ownershipPercent, isPoliticallyExposed }) => [name, ownershipPercent, isPoliticallyExposed]),
    ).toEqual([
      ['Kari Anne Nordmann', 60, null],
      ['Ola Hansen', '', null],
    ])
  })

  it.each([
    ['remove.0', 0],
    ['remove.1', 1],
    ['remove.', 1],
    ['remove.x', 1],
    ['add', 2],
  ])('after %s are %i', (button, count) => {
    expect(changedOwners(sent({ ...OWNER, do: button }))?.owners).toHaveLength(count)
  })

  it('are four at most, and unchanged by any other button', () => {
    const four = Object.fromEntries([0, 1, 2, 3].map((index) => [`owners.${index}.name`, `Person ${index}`]))
    expect(changedOwners(sent({ ...four, do: 'add' }))?.owners).toHaveLength(4)
    expect(changedOwners(sent({ ...four, do: 'delete' }))).toBeUndefined()
  })

  it('of an older draft, or of a broken one, break no page', () => {
    for (const draft of [null, 'text', 7, [], { owners: 'none' }, { owners: [null, 3, { name: 7 }] }]) {
      expect(ownersShown({ ...NO_ANSWERS, drafts: { BeneficialOwners: draft } }).owners.length).toBeLessThanOrEqual(3)
    }
  })
})

describe('signers', () => {
  it('are those of the selected combination, as the registry has it', () => {
    expect(readSignersForm(sent({ combination: '0' }), REGISTERED)).toEqual({
      signers: [
        { name: 'Kari Anne Nordmann', birthDate: '1980-02-01', role: 'chair, managing-director' },
        { name: 'Ola Hansen', birthDate: '1975-12-24', role: 'board-member' },
      ],
    })
  })

  it.each(['', '1', '-1', '0.0', 'x', '999'])('are none for the invalid selection %j', (combination) => {
    expect(readSignersForm(sent({ combination }), REGISTERED)).toEqual({ signers: [] })
  })

  it('cannot be entered where the registry has them', () => {
    const form = { combination: '0', 'signers.0.name': 'A stranger', 'signers.0.birthDate': '1.1.1970' }
    const names = readSignersForm(sent(form), REGISTERED).signers.map(({ name }) => name)
    expect(names).toEqual(['Kari Anne Nordmann', 'Ola Hansen'])
  })

  it('are entered where it has none, and are shown as they were entered', () => {
    const form = { 'signers.0.name': 'Kari', 'signers.0.birthDate': '1.2.1980' }
    const typed = readSignersForm(sent(form), { ...REGISTERED, signingRights: null })
    expect(typed).toEqual({ signers: [{ name: 'Kari', birthDate: '1980-02-01', role: null }] })
    expect(signersShown({ ...NO_ANSWERS, drafts: { Signers: typed } })).toEqual(typed)
    expect(changedSigners(sent({ ...form, do: 'add' }))?.signers).toHaveLength(2)
  })
})

test.each([
  [{ accepted: 'yes', shown: '2026-11.2' }, true],
  [{ accepted: 'yes', shown: '2020-01' }, false],
  [{ accepted: 'yes' }, false],
  [{ shown: '2026-11.2' }, false],
  [{ accepted: 'true', shown: '2026-11.2' }, false],
])('terms sent as %j are accepted: %s', (fields, accepted) => {
  expect(readTermsForm(sent(fields))).toEqual({ accepted })
})
