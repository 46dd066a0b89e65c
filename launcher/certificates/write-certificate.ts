/** Writes X.509 certificates (RFC 5280) with RSA keys, signed with SHA-256. */
import { createHash, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { bits, derNull, derTrue, integer, octets, oid, printable, sequence, set, tagged, time, utf8 } from './der.ts'

/** The attributes of a name, in their order; `C` is a country. */
export type Name = readonly (readonly [kind: NamePart, value: string])[]
type NamePart = keyof typeof OID_OF_NAME_PART

/** The content of a certificate. */
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
