/** Tests that the sandbox's banks match the bank profiles of the directory. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import directory from '../../data/sandbox-directory.json' with { type: 'json' }
import { bankByBic } from './fixture-lookup.ts'
import { loadDemoFixture } from './load-fixture.ts'

const fixture = loadDemoFixture()

/** The part of a profile that a bank can follow or violate. */
type Profile = {
  readonly timeZone: string
  readonly amountMax: Readonly<Record<string, string>>
  readonly rails: Readonly<Record<string, { readonly cutOff: object } | undefined>>
  readonly closedDays: string
  readonly lastVisible: string
  readonly authorisationTtlSeconds: number
  readonly maxConsentValidityDays: number
  readonly consentReplacement: string
  readonly userId: { readonly pattern: string }
  readonly constraints: {
    readonly cancelSCARequired: boolean
    readonly maxPayrollSize: number | null
    readonly maxUnstructuredRemittanceInfoLength: number
    readonly maxUnstructuredRemittanceInfoLengthToOtherBanks: number
  }
  readonly crossBorder?: { readonly cutOff: object; readonly messageMax: number }
  readonly baskets: { readonly domesticOnly: boolean } | null
  readonly payroll: {
    readonly submissionMode: 'bulk' | 'baskets' | 'chain' | 'file'
    readonly batchBooking: boolean
    readonly elements: string
    readonly inBaskets: boolean
  } | null
  readonly dialect: {
    readonly paymentInformationId?: boolean
    readonly products: Readonly<Record<string, string>>
    readonly crossBorder?: {
      readonly product: string
      readonly ibanMember: string
      readonly chargeBearer: string
      readonly regulatoryReporting: { readonly information: string | null } | null
    }
  }
}

function profileNamed(name: string): Profile {
  return JSON.parse(readFileSync(new URL(`../../data/bank-profiles/${name}.json`, import.meta.url), 'utf8'))
}

test('the directory contains every bank of the fixture, and no other', () => {
  const placeOf = ({ bic, name, path }: { bic: string; name: string; path: string }) => `${bic} ${name} ${path}`
  const banks = fixture.banks.map((bank) => placeOf({ ...bank, path: bank.basePath }))
  expect(directory.banks.map(placeOf).toSorted()).toEqual(banks.toSorted())
})

describe.each(directory.banks.map(({ bic, profile }) => [bic, profile] as const))('%s is a bank of %s', (bic, name) => {
  const bank = bankByBic(fixture, bic)
  const profile = profileNamed(name)

  test('in the limits of orders', () => {
    expect(bank?.timeZone).toBe(profile.timeZone)
    expect(profile.amountMax).toEqual({ [bank?.currency ?? '']: bank?.amountMax })
    expect(bank?.closedDays).toBe(profile.closedDays)
    const productByRail = bank?.products.flatMap((product) =>
      product.rails.map((rail) => [rail, product.name] as const),
    )
    const { products, crossBorder } = profile.dialect
    const abroad = crossBorder === undefined ? {} : { 'cross-border': crossBorder.product }
    expect(Object.fromEntries(productByRail ?? [])).toEqual({ ...products, ...abroad })
  })

  test('in the length of messages', () => {
    const { max = 0, toOthersMax = null } = bank?.message ?? {}
    const { maxUnstructuredRemittanceInfoLength, maxUnstructuredRemittanceInfoLengthToOtherBanks } = profile.constraints
    expect({
      inside: maxUnstructuredRemittanceInfoLength,
      toOthers: maxUnstructuredRemittanceInfoLengthToOtherBanks,
      abroad: profile.crossBorder?.messageMax ?? max,
    }).toEqual({ inside: max, toOthers: toOthersMax ?? max, abroad: max })
  })

  test('in cross-border payments', () => {
    const { crossBorder } = profile.dialect
    expect(bank?.crossBorder === null).toBe(crossBorder === undefined)
    expect(bank?.crossBorder?.ibanMember).toBe(crossBorder?.ibanMember)
    expect(bank?.crossBorder?.chargeBearers ?? [undefined]).toContain(crossBorder?.chargeBearer)
    const [reported, takes] = [crossBorder?.regulatoryReporting ?? null, bank?.crossBorder?.reporting ?? null]
    expect({ reported: reported !== null, inWords: reported?.information != null }).toEqual({
      reported: takes !== null,
      inWords: takes?.takesInformation === true,
    })
    expect(bank?.basketDomesticOnly).toBe(profile.baskets?.domesticOnly === true)
  })

  test('in its bulks', () => {
    const { payroll, constraints } = profile
    const { batchBooking, elements, inBaskets } = payroll ?? {}
    const { paymentInformationId = false } = profile.dialect
    const bulk = { max: constraints.maxPayrollSize, batchBooking, elements, inBaskets, paymentInformationId }
    expect(bank?.bulk).toEqual(payroll?.submissionMode === 'bulk' ? bulk : null)
    expect(bank?.basketMax !== null).toBe(profile.baskets !== null)
  })

  test('in its times', () => {
    const abroad = profile.crossBorder === undefined ? {} : { 'cross-border': profile.crossBorder }
    const cutOffs = Object.entries({ ...profile.rails, ...abroad }).map(([rail, terms]) => [rail, terms?.cutOff])
    // Fjordbanken executes at any hour, so that the time of day does not matter to users of the sandbox.
    expect(bank?.cutOffs).toEqual(bic === 'FJORNO22' ? {} : Object.fromEntries(cutOffs))
    expect((bank?.authorisationMinutes ?? 0) * 60).toBe(profile.authorisationTtlSeconds)
    expect(bank?.lastVisible === 'settled').toBe(profile.lastVisible === 'settled')
  })

  test('in its consents, users and cancellations', () => {
    expect(bank?.consent.daysMax).toBe(profile.maxConsentValidityDays)
    expect(bank?.consent.newerEndsOlder).toBe(profile.consentReplacement === 'per-third-party')
    const users = fixture.access.filter((row) => row.bic === bic).map(({ userId }) => userId)
    expect(users.filter((userId) => !new RegExp(profile.userId.pattern).test(userId))).toEqual([])
    expect(bank?.cancelAfterSigning === 'authorisation').toBe(profile.constraints.cancelSCARequired)
  })
})
