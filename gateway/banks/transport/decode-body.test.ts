/** Shows that a byte order mark is skipped, and that UTF-16 is read, whole and in parts of any size. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { decoderOf } from './http-exchange.ts'
import { decodeParts } from './http-response-stream.ts'

const TEXT = '{"name":"Bjørn 😀"}'
const utf16le = Buffer.from(TEXT, 'utf16le')

test.each([
  ['UTF-8', Buffer.from(TEXT), TEXT],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), TEXT],
  ['UTF-16, little endian', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16le]), TEXT],
  ['UTF-16, big endian', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16le).swap16()]), TEXT],
  ['two marks', Buffer.from(`\ufeff\ufeff${TEXT}`), `\ufeff${TEXT}`],
  ['a mark alone', Buffer.from('\ufeff'), ''],
  ['one byte', Buffer.from('7'), '7'],
  ['nothing', Buffer.alloc(0), ''],
])('%s', async (_what, bytes, text) => {
  expect(decoderOf(bytes).decode(bytes)).toBe(text)
  for (const size of [1, 2, 5, 1_000]) {
    const count = Math.ceil(bytes.length / size)
    const parts = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
    expect((await buffer(decodeParts(Readable.from(parts)))).toString()).toBe(text)
  }
})
