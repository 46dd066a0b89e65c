/** Renders a text as a QR code: a PNG image, black on white, large enough for a phone camera. */
import { crc32, deflateSync } from 'node:zlib'
import encodeQr from 'qr'

/** Side of one module in pixels; a code of a hundred characters has some 300 pixels. */
const MODULE_PIXELS = 6
/** The standard requires this many white modules around the code. */
const QUIET_MODULES = 4
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** One bit per pixel, greyscale, no interlacing. */
const HEADER_TAIL = [1, 0, 0, 0, 0]
const NO_FILTER = 0
const PIXELS_IN_BYTE = 8

export function renderQrImage(text: string): Buffer {
  const modules = encodeQr(text, 'raw', { ecc: 'medium', border: QUIET_MODULES })
  const side = modules.length * MODULE_PIXELS
  const size = Buffer.alloc(PIXELS_IN_BYTE)
  size.writeUInt32BE(side, 0)
  size.writeUInt32BE(side, 4)
  const lines = modules.flatMap((row) => Array<Buffer>(MODULE_PIXELS).fill(lineOf(row)))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([size, Buffer.from(HEADER_TAIL)])),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** One line of pixels, white where a bit is set; lines are padded to a whole byte. */
function lineOf(row: readonly boolean[]): Buffer {
  const width = row.length * MODULE_PIXELS
  const line = Buffer.alloc(1 + Math.ceil(width / PIXELS_IN_BYTE), NO_FILTER)
  for (let x = 0; x < width; x++) {
    if (row[Math.floor(x / MODULE_PIXELS)] === false) {
      const at = 1 + Math.floor(x / PIXELS_IN_BYTE)
      line.writeUInt8(line.readUInt8(at) | (0x80 >> (x % PIXELS_IN_BYTE)), at)
    }
  }
  return line
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(4 + named.length + 4)
  frame.writeUInt32BE(content.length, 0)
  named.copy(frame, 4)
  frame.writeUInt32BE(crc32(named), 4 + named.length)
  return frame
}
