/** Shows which session headers reach a bank: in the length and form that banks store, without control characters. */
import { expect, test } from 'vitest'
import { sessionHeaders } from './request-headers.ts'

const long = `Mozilla/5.0 ${'x'.repeat(300)}`
const languages = Array.from({ length: 60 }, (_, count) => `nb-${count}`).join(', ')
const rows: readonly [name: string, given: string, sentOn: string | undefined][] = [
  ['psu-user-agent', long, long.slice(0, 255)],
  ['psu-user-agent', 'x'.repeat(255), 'x'.repeat(255)],
  ['psu-user-agent', '\u0000a\tb\u007f\u0085', 'ab'],
  ['psu-user-agent', '\u{1f600}', '?'],
  ['psu-user-agent', '\u0007', undefined],
  ['psu-user-agent', '', undefined],
  ['psu-accept-language', languages, languages.slice(0, languages.lastIndexOf(',', 255))],
  ['psu-accept', `text/html,${'x'.repeat(300)}`, 'text/html'],
  ['psu-accept', 'x'.repeat(300), undefined],
  ['psu-accept', 'x'.repeat(255), 'x'.repeat(255)],
  ['psu-accept-charset', 'utf-8\r\nX-Injected: 1', 'utf-8X-Injected: 1'],
  ['psu-accept-encoding', 'gzip, br', 'gzip, br'],
  ['psu-geo-location', 'GEO:52.506931;13.144558', 'GEO:52.506931;13.144558'],
  ['psu-geo-location', 'GEO:52,5;13,1', undefined],
  ['psu-geo-location', `GEO:52.${'1'.repeat(300)};13.1`, undefined],
  ['psu-http-method', 'PATCH', 'PATCH'],
  ['psu-http-method', 'BREW', undefined],
  ['psu-ip-port', '65535', '65535'],
  ['psu-ip-port', 'https', undefined],
  ['psu-referer', 'https://erp.example', undefined],
  ['constructor', 'x', undefined],
]

test.each(rows)('%s %j is sent as %j', (name, given, sentOn) => {
  const psu = {
    ipAddress: '192.0.2.10',
    userAgent: name === 'psu-user-agent' ? given : 'x',
    headers: { [name]: given },
  }
  const sent = new Map(Object.entries(sessionHeaders({ psu })))
  expect([sent.get(name), sent.get('psu-ip-address')]).toEqual([sentOn, '192.0.2.10'])
})
