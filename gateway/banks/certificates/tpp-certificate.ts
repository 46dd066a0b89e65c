/** Parses our certificates with their keys: the QWAC for TLS, the QSEAL for message signatures. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type Psd2Role, parseQcStatements } from './qc-statements.ts'

export type CertificateUse = 'QWAC' | 'QSEAL'

/** A certificate with its statements and its key. */
export type TppCertificate = {
  readonly use: CertificateUse
  /** The name of its pair; null for the pair of all banks for which no other is chosen. */
  readonly name: string | null
  /** Unchanged PEM: intermediate certificates may follow ours. */
  readonly certificatePem: string
  readonly keyPem: string
  readonly certificate: X509Certificate
  readonly key: KeyObject
  readonly notBefore: Temporal.Instant
  readonly notAfter: Temporal.Instant
  /** Our licence number, e.g. `PSDNO-FSA-123456789`; null where the certificate has none. */
  readonly organizationIdentifier: string | null
  readonly roles: readonly Psd2Role[]
  /** Object identifiers of its extended key usage; null without that extension, which permits every use (RFC 5280). */
  readonly extendedKeyUsage: readonly string[] | null
}

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2'
const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0'

/** Thrown for a QWAC with which no connection can be made. */
export class ClientAuthenticationError extends Error {}

/** What operators call a certificate, e.g. `QWAC`, or `QWAC 2027` of a named pair. */
export function certificateLabel({ use, name }: Pick<TppCertificate, 'use' | 'name'>): string {
  return name === null ? use : `${use} ${name}`
}

/** Parses a certificate and its key. Throws an error that says what is wrong with them. */
export function parseTppCertificate(
  use: CertificateUse,
  certificatePem: string,
  keyPem: string,
  name: string | null = null,
): TppCertificate {
  const label = certificateLabel({ use, name })
  const certificate = certificateIn(label, certificatePem)
  const key = keyIn(label, keyPem)
  const { type, roles } = parseQcStatements(certificate.raw)
  // Node's name for the extended key usage; undefined without that extension.
  const extendedKeyUsage = certificate.keyUsage ?? null
  if (!certificate.checkPrivateKey(key)) {
    throw new Error(`The key of the ${label} does not belong to its certificate`)
  }
  if (type !== null && type !== use) {
    throw new Error(`The certificate given as ${label} is a ${type}`)
  }
  if (use === 'QSEAL' && key.asymmetricKeyType !== 'rsa') {
    throw new Error(`The key of the ${label} must be RSA, but is ${key.asymmetricKeyType}`)
  }
  if (use === 'QWAC' && !permitsClientAuthentication(extendedKeyUsage)) {
    throw new ClientAuthenticationError(
      `The ${label} does not permit client authentication (${CLIENT_AUTHENTICATION} in its extended key usage): ` +
        'banks reject its connections. Public authorities have stopped issuing it; ' +
        'order a QWAC with client authentication from a qualified trust service provider',
    )
  }
  return {
    use,
    name,
    certificatePem,
    keyPem,
    certificate,
    key,
    notBefore: Temporal.Instant.fromEpochMilliseconds(certificate.validFromDate.getTime()),
    notAfter: Temporal.Instant.fromEpochMilliseconds(certificate.validToDate.getTime()),
    organizationIdentifier: organizationIdentifierOf(certificate),
    roles,
    extendedKeyUsage,
  }
}

function permitsClientAuthentication(usages: readonly string[] | null): boolean {
  return usages === null || usages.includes(CLIENT_AUTHENTICATION) || usages.includes(ANY_EXTENDED_KEY_USAGE)
}

/** Whether the certificate is valid at a moment. */
export function isValidAt({ notBefore, notAfter }: TppCertificate, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(notBefore, at) <= 0 && Temporal.Instant.compare(at, notAfter) < 0
}

function certificateIn(label: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new Error(`The certificate of the ${label} is not an X.509 certificate in PEM`, { cause })
  }
}

function keyIn(label: string, pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) {
    throw new Error(
      `The key of the ${label} is encrypted: provide it as unencrypted PEM that only this program can read`,
    )
  }
  try {
    return createPrivateKey(pem)
  } catch {
    // No cause: it may contain parts of the key.
    throw new Error(`The key of the ${label} is not a private key in PEM`)
  }
}

function organizationIdentifierOf(certificate: X509Certificate): string | null {
  const line = certificate.subject.split('\n').find((part) => part.startsWith('organizationIdentifier='))
  return line?.slice('organizationIdentifier='.length) ?? null
}
