/** Tests which PSU sessions are accepted: complete ones, and in production only those with a public address. */
import { describe, expect, test } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { readPsuSession } from './authorise-request.ts'

const headersOf = (ip: string) => ({ 'psu-ip-address': ip, 'psu-user-agent': 'Browser' })
const inProduction = { required: true, privateAllowed: false }
const inSandbox = { required: true, privateAllowed: true }

const PRIVATE = [
  ...['10.0.0.1', '127.0.0.1', '169.254.1.1', '172.16.0.1', '172.31.255.254', '192.168.1.1', '100.64.0.1', '0.0.0.0'],
  ...['::1', '::', 'fc00::1', 'fd12:3456::1', 'fe80::1', '::ffff:10.0.0.1', '::ffff:127.0.0.1'],
  ...['192.0.2.1', '198.18.0.1', '203.0.113.7', '224.0.0.1', '255.255.255.255', '168.63.129.16', '64:ff9b::a00:1'],
  ...['ff02::1', 'fec0::1', '2001:db8::1', '2002:a00:1::'],
]
const PUBLIC = [
  '84.208.20.110',
  '172.15.0.1',
  '172.32.0.1',
  '2a01:79c:cebd::1',
  '::ffff:84.208.20.110',
  '64:ff9b::54d0:146e',
]

describe('in production', () => {
  test.each(PRIVATE)('%s is not a public address and is rejected', (ip) => {
    expect(() => readPsuSession(headersOf(ip), inProduction)).toThrow(/not public/)
  })

  test.each(PUBLIC)('%s is accepted', (ip) => {
    expect(readPsuSession(headersOf(ip), inProduction)?.ipAddress).toBe(ip)
  })
})

describe('in the sandbox', () => {
  test.each([...PRIVATE, ...PUBLIC])('%s is accepted', (ip) => {
    expect(readPsuSession(headersOf(ip), inSandbox)?.ipAddress).toBe(ip)
  })
})

describe('an IP address', () => {
  test.each([
    '',
    'localhost',
    '256.1.1.1',
    '1.2.3',
    '01.2.3.4',
    '0x7f.1',
    '2130706433',
    '1.2.3.4, 5.6.7.8',
    '1.2.3.4:80',
    '[::1]',
    'fe80::1%eth0',
    'fe80::1%',
    '1.2.3.4/24',
  ])('%j is invalid and is rejected with the name of the header', (ip) => {
    const optional = ip === '' ? [] : [{ required: false, privateAllowed: true }]
    for (const need of [inProduction, inSandbox, ...optional]) {
      expect(() => readPsuSession(headersOf(ip), need)).toThrow(ApiError)
      expect(() => readPsuSession(headersOf(ip), need)).toThrow(/PSU-IP-Address/)
    }
  })
})

describe('where the user may be absent', () => {
  const need = { required: false, privateAllowed: false }

  test('no header means no session', () => {
    expect(readPsuSession({ 'psu-accept': 'text/html' }, need)).toBeNull()
  })

  test.each([
    [{ 'psu-ip-address': '84.208.20.110' }, { ipAddress: '84.208.20.110', userAgent: '', headers: {} }],
    [{ 'psu-user-agent': 'Browser' }, null],
  ])('the address says whether the user is present, and each header is optional: %j', (headers, session) => {
    expect(readPsuSession(headers, need)).toEqual(session)
  })
})

describe('where the user is required', () => {
  test.each([
    [{ 'psu-ip-address': '84.208.20.110' }, /PSU-User-Agent/],
    [{ 'psu-user-agent': 'Browser' }, /PSU-IP-Address/],
  ])('an incomplete session is rejected: %j', (headers, name) => {
    expect(() => readPsuSession(headers, inProduction)).toThrow(name)
  })
})

test('further headers of the bank standard are passed on, and nothing else', () => {
  const headers = {
    ...headersOf('84.208.20.110'),
    'psu-accept': 'text/html',
    'psu-ip-port': '4711',
    'psu-id': 'me',
    cookie: 'x',
  }
  expect(readPsuSession(headers, inProduction)).toEqual({
    ipAddress: '84.208.20.110',
    userAgent: 'Browser',
    headers: { 'psu-accept': 'text/html', 'psu-ip-port': '4711' },
  })
})
