/** Tests the network by which a client is counted, however its address is written. */
import { expect, test } from 'vitest'
import { readSourceFiles } from '../../../setup/source-files.ts'
import { clientNetwork, loggedNetwork, withoutPorts } from './ip-address.ts'

test('IPv4 counts by address, IPv6 by /64', () => {
  const networks: Record<string, string> = {
    '203.0.113.9': '203.0.113.9',
    '::ffff:203.0.113.9': '203.0.113.9',
    '::1': '0:0:0:0::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '2001:0DB8:0:00:5:6:7:8': '2001:db8:0:0::/64',
    '2001:db8:0:1::': '2001:db8:0:1::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '1:2:3::4:5:6:7': '1:2:3:0::/64',
    '': '',
  }
  const found = Object.keys(networks).map((address) => [address, clientNetwork(address)])
  expect(Object.fromEntries(found)).toEqual(networks)
})

test('of forwarded addresses only the ports are left out, whatever a sender made up', () => {
  const forwarded = '203.0.113.9:4711, [2001:db8::1]:443,[::1], 2001:db8::1.2.3.4, ::ffff:203.0.113.9, unknown:1, [x]:1'
  const read = '203.0.113.9, 2001:db8::1,::1, 2001:db8::1.2.3.4, ::ffff:203.0.113.9, unknown:1, [x]:1'
  expect(withoutPorts(forwarded)).toBe(read)
})

test('the log has the network of a browser, not its address', () => {
  expect(['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', ''].map(loggedNetwork)).toEqual([
    '203.0.113.0/24',
    '203.0.113.0/24',
    '2001:db8:0:0::/64',
    '',
  ])
})

test('no limit counts by address: an IPv6 subscriber has any number of them', async () => {
  const files = (await readSourceFiles()).filter(({ path, isTest }) => /^(gateway|console)\//.test(path) && !isTest)
  // The evidence of a signature has the whole address, and the log that of a known client.
  const others = files.filter(({ path }) => !/\/(requesting-browser|access-log)\.ts$/.test(path))
  const found = others.flatMap(({ path, text }) => (/(?<!clientNetwork\()\brequest\.ip\b/.test(text) ? [path] : []))
  expect(files.length).toBeGreaterThan(1000)
  expect(found).toEqual([])
})
