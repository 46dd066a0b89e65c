/** Writes DER, the encoding of certificates: nested tag, length and content. */

const TAG = { boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, empty: 0x05, oid: 0x06, utf8: 0x0c } as const
const SEQUENCE = 0x30
const SET = 0x31
const PRINTABLE = 0x13
const UTC_TIME = 0x17
const GENERALISED_TIME = 0x18
/** Lengths below this are encoded in one byte. */
const SHORT_LENGTHS = 0x80
/** From this year on certificates encode years with four digits (RFC 5280). */
const FOUR_DIGIT_YEARS_FROM = 2050

/** A value with its tag. */
export function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const inside = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(inside.length), inside])
}

function lengthOf(length: number): Buffer {
  if (length < SHORT_LENGTHS) {
    return Buffer.from([length])
  }
  const bytes = bigEndian(BigInt(length))
  return Buffer.concat([Buffer.from([SHORT_LENGTHS + bytes.length]), bytes])
}

function bigEndian(value: bigint): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(SEQUENCE, ...parts)
}

export function set(...parts: readonly Buffer[]): Buffer {
  return tagged(SET, ...parts)
}

/** A non-negative integer. */
export function integer(value: bigint): Buffer {
  const bytes = bigEndian(value)
  const sign = (bytes[0] ?? 0) >= SHORT_LENGTHS ? Buffer.from([0]) : Buffer.alloc(0)
  return tagged(TAG.integer, sign, bytes)
}

export function derTrue(): Buffer {
  return tagged(TAG.boolean, Buffer.from([0xff]))
}

export function derNull(): Buffer {
  return tagged(TAG.empty)
}

export function utf8(text: string): Buffer {
  return tagged(TAG.utf8, Buffer.from(text, 'utf8'))
}

/** PrintableString: letters and digits only, as in country codes. */
export function printable(text: string): Buffer {
  return tagged(PRINTABLE, Buffer.from(text, 'latin1'))
}

export function octets(content: Buffer): Buffer {
  return tagged(TAG.octets, content)
}

/** A bit string, whose last bits may be unused. */
export function bits(content: Buffer, unused = 0): Buffer {
  return tagged(TAG.bits, Buffer.from([unused]), content)
}

/** An object identifier such as `2.5.4.97`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  return tagged(TAG.oid, Buffer.from([first * 40 + second, ...others.flatMap(sevenBitBytes)]))
}

/** Base 128: seven bits per byte; all but the last byte have the high bit set. */
function sevenBitBytes(value: number): readonly number[] {
  const before = Math.floor(value / 128)
  const last = value % 128
  return before === 0 ? [last] : [...sevenBitBytes(before).map((byte) => byte | 0x80), last]
}

/** A time, with a precision of seconds. */
export function time(instant: Temporal.Instant): Buffer {
  const digits = instant.toString({ smallestUnit: 'second' }).replace(/[-:T]/g, '')
  return Number(digits.slice(0, 4)) < FOUR_DIGIT_YEARS_FROM
    ? tagged(UTC_TIME, Buffer.from(digits.slice(2), 'latin1'))
    : tagged(GENERALISED_TIME, Buffer.from(digits, 'latin1'))
}
