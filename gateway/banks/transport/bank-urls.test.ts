/** Shows that only https URLs of the bank's own hosts are accepted. */
import { describe, expect, test } from 'vitest'
import { BankError } from '../connector/bank-error.ts'
import { sampleBank } from '../testing/samples.ts'
import { isLinkHost, isSafeBaseUrl, requireApiUrl, requireLinkOrApiUrl, requireLinkUrl } from './bank-urls.ts'

describe('links of a bank', () => {
  const bank = sampleBank({
    linkHosts: ['Sign.fjordbanken.example', 'xs2a.fjordbanken.example:443', 'odd.example:8443'],
  })

  test.each([
    ['https://sign.fjordbanken.example/sca/1?x=2#y', 'https://sign.fjordbanken.example/sca/1?x=2#y'],
    ['https://SIGN.fjordbanken.example:443/sca', 'https://sign.fjordbanken.example/sca'],
    ['https://odd.example:8443/', 'https://odd.example:8443/'],
    ['/sca/1', 'https://xs2a.fjordbanken.example/sca/1'],
    ['//sign.fjordbanken.example/sca', 'https://sign.fjordbanken.example/sca'],
  ])('%s leads to %s', (href, address) => {
    expect(requireLinkUrl(bank, href)).toBe(address)
  })

  test.each([
    'http://sign.fjordbanken.example/sca',
    'https://evil.example/',
    'https://sign.fjordbanken.example.evil.example/',
    'https://sign.fjordbanken.example:8443/',
    'https://odd.example/',
    'https://sign.fjordbanken.example@evil.example/',
    'https://user:secret@sign.fjordbanken.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://',
  ])('%s is rejected as a configuration error', (href) => {
    expect(() => requireLinkUrl(bank, href)).toThrow(
      expect.objectContaining({ name: 'BankError', kind: 'misconfigured' }),
    )
  })

  test('in errors show nothing of a rejected URL but its host', () => {
    const rejection = thrownBy(() => requireLinkUrl(bank, 'https://evil.example/secret-token'))
    expect(rejection).toBeInstanceOf(BankError)
    expect(String(rejection)).toContain('https://evil.example')
    expect(String(rejection)).not.toContain('secret-token')
  })

  test('that the server follows may also lead to the API itself, and nowhere else', () => {
    const elsewhere = { ...bank, address: 'https://api.fjordbanken.example/psd2' }
    expect(requireLinkOrApiUrl(elsewhere, '/psd2/v1/x?page=2')).toBe('https://api.fjordbanken.example/psd2/v1/x?page=2')
    expect(requireLinkOrApiUrl(elsewhere, 'https://sign.fjordbanken.example/x')).toBe(
      'https://sign.fjordbanken.example/x',
    )
    expect(() => requireLinkUrl(elsewhere, 'https://api.fjordbanken.example/psd2')).toThrow(BankError)
    expect(() => requireLinkOrApiUrl(elsewhere, 'https://evil.example/x')).toThrow(BankError)
    expect(() => requireLinkOrApiUrl(elsewhere, 'http://api.fjordbanken.example/x')).toThrow(BankError)
  })

  test('that are called with access tokens lead to the API itself', () => {
    const elsewhere = { ...bank, address: 'https://api.fjordbanken.example/psd2' }
    expect(requireApiUrl(elsewhere, '/psd2/v1/x?page=2')).toBe('https://api.fjordbanken.example/psd2/v1/x?page=2')
    expect(() => requireApiUrl(elsewhere, 'https://sign.fjordbanken.example/x')).toThrow(BankError)
  })

  test('may be http on loopback only', () => {
    const loopback = sampleBank({ linkHosts: ['127.0.0.1:8081', 'localhost:8081', '[::1]:8081'] })
    expect(requireLinkUrl(loopback, 'http://127.0.0.1:8081/sca')).toBe('http://127.0.0.1:8081/sca')
    expect(requireLinkUrl(loopback, 'http://[::1]:8081/sca')).toBe('http://[::1]:8081/sca')
    expect(() => requireLinkUrl(loopback, 'http://127.0.0.1:8082/sca')).toThrow(BankError)
    expect(() => requireLinkUrl(loopback, 'http://127.0.0.1.evil.example:8081/sca')).toThrow(BankError)
  })
})

test.each([
  ['https://bank.example/psd2', true],
  ['http://127.0.0.1:8083/fjordbanken', true],
  ['http://bank.example', false],
  ['https://bank.example/psd2/', false],
  ['https://bank.example/psd2?x', false],
  ['bank.example', false],
])('the URL %s is safe: %s', (address, safe) => {
  expect(isSafeBaseUrl(address)).toBe(safe)
})

test.each([
  ['bank.example', true],
  ['bank.example:443', true],
  ['bank.example:8443', true],
  ['[::1]:8081', true],
  ['bank.example/', false],
  ['https://bank.example', false],
  ['', false],
])('%j is a host of links: %s', (host, is) => {
  expect(isLinkHost(host)).toBe(is)
})

function thrownBy(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}
