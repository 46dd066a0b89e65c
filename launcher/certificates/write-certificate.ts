/** Writes X.509 certificates (RFC 5280) with RSA keys, signed with SHA-256. */
import { createHash, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** The attributes of a name, in their order; `C` is a country. */
export type Name = readonly (readonly [kind: NamePart, value: string])[]
type NamePart = keyof typeof OID_OF_NAME_PART

export type CertificateContent = {
  readonly subject: Name
  readonly issuer: Name
  readonly notBefore: Temporal.Instant
  readonly notAfter: Temporal.Instant
  readonly extensions: readonly Buffer[]
}

export type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

const OID_OF_NAME_PART = {
  C: '2.5.4.6',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  CN: '2.5.4.3',
  organizationIdentifier: '2.5.4.97',
} as const
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11'
const VERSION_3 = 2n
const SERIAL_BYTES = 16
const KEY_BITS = 2048
/** Context-specific tags of a certificate in RFC 5280. */
const VERSION_TAG = 0xa0
const EXTENSIONS_TAG = 0xa3
const PEM_LINE = /.{1,64}/g

export function newKeyPair(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS })
}

/** Encodes and signs a certificate; returns it in PEM. */
export function writeCertificate(content: CertificateContent, owner: KeyObject, issuerKey: KeyObject): string {
  const algorithm = sequence(oid(SHA256_WITH_RSA), derNull())
  const statement = sequence(
    tagged(VERSION_TAG, integer(VERSION_3)),
    integer(BigInt(`0x${randomBytes(SERIAL_BYTES).toString('hex')}`)),
    algorithm,
    nameOf(content.issuer),
    sequence(time(content.notBefore), time(content.notAfter)),
    nameOf(content.subject),
    owner.export({ type: 'spki', format: 'der' }),
    tagged(EXTENSIONS_TAG, sequence(...content.extensions)),
  )
  return pemOf(sequence(statement, algorithm, bits(sign('sha256', statement, issuerKey))))
}

function nameOf(name: Name): Buffer {
  const parts = name.map(([kind, value]) =>
    set(sequence(oid(OID_OF_NAME_PART[kind]), kind === 'C' ? printable(value) : utf8(value))),
  )
  return sequence(...parts)
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(PEM_LINE) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** An extension; verifiers that do not support a critical one must reject the certificate. */
export function extension(name: string, content: Buffer, { critical } = { critical: false }): Buffer {
  return sequence(oid(name), ...(critical ? [derTrue()] : []), octets(content))
}

/** A key identifier, by which certificates refer to that of their issuer. */
export function keyId(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
}

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

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(SET, ...parts)
}

/** A non-negative integer. */
function integer(value: bigint): Buffer {
  const bytes = bigEndian(value)
  const sign = (bytes[0] ?? 0) >= SHORT_LENGTHS ? Buffer.from([0]) : Buffer.alloc(0)
  return tagged(TAG.integer, sign, bytes)
}

export function derTrue(): Buffer {
  return tagged(TAG.boolean, Buffer.from([0xff]))
}

function derNull(): Buffer {
  return tagged(TAG.empty)
}

export function utf8(text: string): Buffer {
  return tagged(TAG.utf8, Buffer.from(text, 'utf8'))
}

/** PrintableString: letters and digits only, as in country codes. */
function printable(text: string): Buffer {
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
function time(instant: Temporal.Instant): Buffer {
  const digits = instant.toString({ smallestUnit: 'second' }).replace(/[-:T]/g, '')
  return Number(digits.slice(0, 4)) < FOUR_DIGIT_YEARS_FROM
    ? tagged(UTC_TIME, Buffer.from(digits.slice(2), 'latin1'))
    : tagged(GENERALISED_TIME, Buffer.from(digits, 'latin1'))
}
