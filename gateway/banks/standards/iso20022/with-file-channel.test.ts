/** Tests which addresses of file servers are accepted for the directory of banks. */
import { expect, test } from 'vitest'
import { isFileUrl } from './with-file-channel.ts'

test.each<[string, boolean]>([
  ['file:///srv/bank%20files', true],
  ['sftp://havn%40example@bank.example:2222/files', true],
  ['sftp://havn@[2001:db8::1]', true],
  ['file:///', false],
  ['file://server/share', false],
  ['sftp://bank.example/files', false],
  ['sftp://havn:secret@bank.example', false],
  // They cannot be decoded, so that each poll of the bank would fail.
  ['file:///srv/100%', false],
  ['file:///srv%2Fbank', false],
  ['sftp://100%@bank.example/files', false],
  ['sftp://havn@bank.example/%ff', false],
])('%s: %s', (address, isAccepted) => {
  expect(isFileUrl(address)).toBe(isAccepted)
})
