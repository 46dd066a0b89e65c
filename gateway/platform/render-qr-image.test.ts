/** Tests QR images: they can be scanned, and are PNG files. */
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import decodeQr from 'qr/decode.js'
import { expect, test } from 'vitest'
import { renderQrImage } from './render-qr-image.ts'

test('can be scanned as the text that was drawn', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 180, unit: 'grapheme-ascii' }), (text) => {
      expect(read(renderQrImage(text))).toBe(text)
    }),
    { numRuns: 15 },
  )
})

test('are PNG images, small and large enough', () => {
  const image = renderQrImage(`bankid.67df3917-fa0d-44e5-b327-edcc928297f8.0.${'d'.repeat(64)}`)
  expect(image.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
  expect(image.length).toBeLessThan(8_192)
  expect(image.readUInt32BE(16)).toBeGreaterThan(250)
})

/** Decodes a PNG with one bit per pixel, and the QR code in it. */
function read(image: Buffer): string {
  const side = image.readUInt32BE(16)
  const length = image.readUInt32BE(33)
  const lines = inflateSync(image.subarray(41, 41 + length))
  const bytesInLine = 1 + Math.ceil(side / 8)
  const data = new Uint8Array(side * side * 4)
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [x, y] = [pixel % side, Math.floor(pixel / side)]
    const isWhite = (lines.readUInt8(y * bytesInLine + 1 + (x >> 3)) & (0x80 >> (x & 7))) !== 0
    data.fill(isWhite ? 255 : 0, pixel * 4, pixel * 4 + 3)
    data[pixel * 4 + 3] = 255
  }
  return decodeQr({ width: side, height: side, data })
}
