/** Tests which banks the directory accepts, and the errors for others. */
import { describe, expect, test } from 'vitest'
import { sampleBank } from '../testing/samples.ts'
import type { DirectoryEntry } from './bank-store.ts'
import { addressVersionError, resolveBank } from './directory-entry.ts'

const { profile } = sampleBank()
const profiles = new Map([[profile.name, profile]])
const ENTRY: DirectoryEntry = {
  bic: 'FJORNO22',
  name: 'Fjordbanken',
  country_code: 'NO',
  connector: 'berlin-group',
  profile: profile.name,
  address: 'https://xs2a.fjordbanken.example/psd2',
  link_hosts: ['sign.fjordbanken.example'],
  certificate: '2027',
  enabled: true,
}

describe('a bank of the directory', () => {
  test('is its row joined with its profile', () => {
    expect(resolveBank(ENTRY, profiles)).toEqual({
      bank: {
        bic: 'FJORNO22',
        name: 'Fjordbanken',
        countryCode: 'NO',
        connector: 'berlin-group',
        address: 'https://xs2a.fjordbanken.example/psd2',
        linkHosts: ['sign.fjordbanken.example'],
        certificate: '2027',
        profile,
        supports: expect.objectContaining({ purposeCode: true, crossBorder: expect.anything() }),
      },
    })
  })

  test.each<[Partial<DirectoryEntry>, string]>([
    [{ bic: 'fjorno22' }, 'fjorno22 is not a valid BIC'],
    [{ country_code: 'NOR' }, 'NOR is not a country code'],
    [{ connector: 'telex' }, 'there is no connector telex; available connectors: berlin-group'],
    [{ connector: 'constructor' }, 'there is no connector constructor'],
    [{ profile: 'gone' }, 'there is no profile gone; available profiles: norwegian-redirect'],
    [{ country_code: 'SE' }, 'profile norwegian-redirect is for another country: it has no SEK'],
    [{ country_code: 'US' }, 'banks of US are not served'],
    [{ address: 'http://bank.example/psd2' }, 'is not https (or http on loopback)'],
    [{ address: 'https://bank.example/psd2/' }, 'ends with a slash'],
    [{ address: 'https://user:secret@bank.example' }, 'is not https'],
    [{ link_hosts: ['https://bank.example'] }, 'https://bank.example is not host:port'],
    [{ link_hosts: ['bank.example/path'] }, 'bank.example/path is not host:port'],
  ])('with %j is invalid', (change, fault) => {
    expect(resolveBank({ ...ENTRY, ...change }, profiles)).toEqual({ fault: expect.stringContaining(fault) })
  })

  test.each([
    ['https://bank.example/psd2/v1', 'https://bank.example/psd2'],
    ['https://bank.example/v1/', 'https://bank.example'],
    ['https://bank.example/v1/consents', 'https://bank.example'],
    ['https://bank.example/v1/payments/sepa-credit-transfers', 'https://bank.example'],
  ])('has no version in its address: %s', (address, baseUrl) => {
    expect(addressVersionError({ connector: 'berlin-group', address })).toContain(`the base URL is ${baseUrl}`)
  })

  test.each(['https://bank.example/v1/xs2a', 'https://bank.example/psd2-v1', 'https://bank.example/v2'])(
    'may have another path: %s',
    (address) => expect(addressVersionError({ connector: 'berlin-group', address })).toBeUndefined(),
  )

  test('is invalid with a profile whose dialect its connector does not support', () => {
    const broken = new Map([[profile.name, { ...profile, dialect: { message: 'x' } }]])
    expect(resolveBank(ENTRY, broken)).toEqual({ fault: expect.stringContaining('dialect/message') })
  })
})
