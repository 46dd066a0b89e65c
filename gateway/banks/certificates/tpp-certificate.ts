/** Parses our certificates with their keys: the QWAC for TLS, the QSEAL for message signatures. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type Psd2Role, parseQcStatements } from './qc-statements.ts'

export type CertificateUse = 'QWAC' | 'QSEAL'

/** A certificate with its statements and its key. */
export type TppCertificate = {
  readonly use: CertificateUse
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
}

/** Parses a certificate and its key. Throws an error that says what is wrong with them. */
export function parseTppCertificate(use: CertificateUse, certificatePem: string, keyPem: string): TppCertificate {
  const certificate = certificateIn(use, certificatePem)
  const key = keyIn(use, keyPem)
  const { type, roles } = parseQcStatements(certificate.raw)
  if (!certificate.checkPrivateKey(key)) {
    throw new Error(`The key of the ${use} does not belong to its certificate`)
  }
  if (type !== null && type !== use) {
    throw new Error(`The certificate given as ${use} is a ${type}`)
  }
  if (use === 'QSEAL' && key.asymmetricKeyType !== 'rsa') {
    throw new Error(`The key of the QSEAL must be RSA, but is ${key.asymmetricKeyType}`)
  }
  return {
    use,
    certificatePem,
    keyPem,
    certificate,
    key,
    notBefore: Temporal.Instant.fromEpochMilliseconds(certificate.validFromDate.getTime()),
    notAfter: Temporal.Instant.fromEpochMilliseconds(certificate.validToDate.getTime()),
    organizationIdentifier: organizationIdentifierOf(certificate),
    roles,
  }
}

/** Whether the certificate is valid at a moment. */
export function isValidAt({ notBefore, notAfter }: TppCertificate, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(notBefore, at) <= 0 && Temporal.Instant.compare(at, notAfter) < 0
}

function certificateIn(use: CertificateUse, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new Error(`The certificate of the ${use} is not an X.509 certificate in PEM`, { cause })
  }
}

function keyIn(use: CertificateUse, pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) {
    throw new Error(`The key of the ${use} is encrypted: provide it as unencrypted PEM that only this program can read`)
  }
  try {
    return createPrivateKey(pem)
  } catch {
    // No cause: it may contain parts of the key.
    throw new Error(`The key of the ${use} is not a private key in PEM`)
  }
}

function organizationIdentifierOf(certificate: X509Certificate): string | null {
  const line = certificate.subject.split('\n').find((part) => part.startsWith('organizationIdentifier='))
  return line?.slice('organizationIdentifier='.length) ?? null
}
