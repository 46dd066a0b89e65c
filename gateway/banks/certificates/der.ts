/** Parses DER, the encoding of certificates: nested elements of tag, length and content. */

/** One element with its content. */
export type DerElement = { readonly tag: number; readonly content: Buffer }

const LENGTH_OF_LENGTH = 0x7f
/** More than any certificate needs: four bytes allow 4 GB. */
const LENGTH_BYTES_MAX = 4

/** The elements of a sequence. Throws when the bytes are not valid DER. */
export function parseDer(bytes: Buffer): readonly DerElement[] {
  const parts: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const { part, next } = readPart(bytes, at)
    parts.push(part)
    at = next
  }
  return parts
}

function readPart(bytes: Buffer, at: number): { readonly part: DerElement; readonly next: number } {
  const tag = byteAt(bytes, at)
  const first = byteAt(bytes, at + 1)
  const lengthBytes = first > LENGTH_OF_LENGTH ? first & LENGTH_OF_LENGTH : 0
  if (lengthBytes > LENGTH_BYTES_MAX || first === LENGTH_OF_LENGTH + 1) {
    throw new Error('Invalid DER: impossible length of an element')
  }
  const begin = at + 2 + lengthBytes
  const length = lengthBytes === 0 ? first : bytes.subarray(at + 2, begin).reduce((sum, byte) => sum * 256 + byte, 0)
  if (begin + length > bytes.length) {
    throw new Error('Invalid DER: an element exceeds its container')
  }
  return { part: { tag, content: bytes.subarray(begin, begin + length) }, next: begin + length }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) {
    throw new Error('Invalid DER: unexpected end')
  }
  return byte
}

/** The content of an object identifier in its dotted form, e.g. `2.5.4.97`. */
export function formatObjectIdentifier(content: Buffer): string {
  const numbers: number[] = []
  let value = 0
  for (const byte of content) {
    value = value * 128 + (byte & LENGTH_OF_LENGTH)
    if (byte <= LENGTH_OF_LENGTH) {
      numbers.push(value)
      value = 0
    }
  }
  const [head = 0, ...others] = numbers
  const first = Math.min(Math.floor(head / 40), 2)
  return [first, head - first * 40, ...others].join('.')
}
