/** Reads the pixels of a one-bit PNG, independently of the bank's encoder. */
import { inflateSync } from 'node:zlib'

const HEADER_END = 33
const CHUNK_HEAD = 8

/** The image in the format of QR readers: four bytes per pixel. */
export function readPng(image: Buffer): { readonly width: number; readonly height: number; readonly data: Uint8Array } {
  const side = image.readUInt32BE(16)
  const from = HEADER_END + CHUNK_HEAD
  const lines = inflateSync(image.subarray(from, from + image.readUInt32BE(HEADER_END)))
  const bytesInLine = 1 + Math.ceil(side / 8)
  const data = new Uint8Array(side * side * 4).fill(255)
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [x, y] = [pixel % side, Math.floor(pixel / side)]
    const isWhite = (lines.readUInt8(y * bytesInLine + 1 + (x >> 3)) & (0x80 >> (x & 7))) !== 0
    data.fill(isWhite ? 255 : 0, pixel * 4, pixel * 4 + 3)
  }
  return { width: side, height: side, data }
}
