/** Writes X.509 certificates (RFC 5280) with RSA keys, signed with SHA-256. */
import { createHash, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type BaseBlock,
  BitString,
  Boolean as BooleanValue,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  PrintableString,
  Sequence,
  Set as SetOf,
  UTCTime,
  Utf8String,
} from 'asn1js'

/** The attributes of a name, in their order; `C` is a country. */
export type Name = readonly (readonly [kind: NamePart, value: string])[]
type NamePart = keyof typeof OID_OF_NAME_PART

export type CertificateContent = {
  readonly subject: Name
  readonly issuer: Name
  readonly notBefore: Temporal.Instant
  readonly notAfter: Temporal.Instant
  readonly extensions: readonly BaseBlock[]
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
const VERSION_3 = 2
const SERIAL_BYTES = 16
const KEY_BITS = 2048
const CONTEXT_SPECIFIC = 3
/** Context-specific tags of a certificate in RFC 5280. */
const VERSION_TAG = 0
const EXTENSIONS_TAG = 3
/** From this year on certificates encode years with four digits (RFC 5280). */
const FOUR_DIGIT_YEARS_FROM = 2050
const PEM_LINE = /.{1,64}/g

export function newKeyPair(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS })
}

/** Encodes and signs a certificate; returns it in PEM. */
export function writeCertificate(content: CertificateContent, owner: KeyObject, issuerKey: KeyObject): string {
  const algorithm = sequence(oid(SHA256_WITH_RSA), new Null())
  const statement = sequence(
    inContext(VERSION_TAG, new Integer({ value: VERSION_3 })),
    Integer.fromBigInt(`0x${randomBytes(SERIAL_BYTES).toString('hex')}`),
    algorithm,
    nameOf(content.issuer),
    sequence(time(content.notBefore), time(content.notAfter)),
    nameOf(content.subject),
    fromBER(derOf(owner)).result,
    inContext(EXTENSIONS_TAG, sequence(...content.extensions)),
  )
  const signature = sign('sha256', Buffer.from(statement.toBER()), issuerKey)
  return pemOf(sequence(statement, algorithm, new BitString({ valueHex: signature })))
}

function nameOf(name: Name): Sequence {
  const parts = name.map(([kind, value]) => {
    const text = kind === 'C' ? new PrintableString({ value }) : new Utf8String({ value })
    return new SetOf({ value: [sequence(oid(OID_OF_NAME_PART[kind]), text)] })
  })
  return sequence(...parts)
}

function pemOf(certificate: Sequence): string {
  const lines = Buffer.from(certificate.toBER()).toString('base64').match(PEM_LINE) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** An extension; verifiers that do not support a critical one must reject the certificate. */
export function extension(name: string, content: BaseBlock, { critical } = { critical: false }): Sequence {
  const flag = critical ? [new BooleanValue({ value: true })] : []
  return sequence(oid(name), ...flag, new OctetString({ valueHex: content.toBER() }))
}

/** A key identifier, by which certificates refer to that of their issuer. */
export function keyId(key: KeyObject): Buffer {
  return createHash('sha1').update(derOf(key)).digest()
}

function derOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

export function sequence(...value: BaseBlock[]): Sequence {
  return new Sequence({ value })
}

/** An object identifier such as `2.5.4.97`. */
export function oid(value: string): ObjectIdentifier {
  return new ObjectIdentifier({ value })
}

function inContext(tagNumber: number, content: BaseBlock): Constructed {
  return new Constructed({ idBlock: { tagClass: CONTEXT_SPECIFIC, tagNumber }, value: [content] })
}

/** A time, with a precision of seconds. */
function time(instant: Temporal.Instant): UTCTime | GeneralizedTime {
  const valueDate = new Date(instant.round({ smallestUnit: 'second', roundingMode: 'trunc' }).epochMilliseconds)
  return valueDate.getUTCFullYear() < FOUR_DIGIT_YEARS_FROM
    ? new UTCTime({ valueDate })
    : new GeneralizedTime({ valueDate })
}
