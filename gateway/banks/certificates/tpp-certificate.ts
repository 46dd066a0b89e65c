/** A certificate by which banks know us, with its key: the QWAC for connections, the QSEAL for signed messages. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type Psd2Role, qualifiedStatementsOf } from './qc-statements.ts'

/** What a certificate of ours is for. */
export type CertificateUse = 'QWAC' | 'QSEAL'

/** A certificate, what it says, and its key. */
export type OwnCertificate = {
  readonly use: CertificateUse
  /** As given: intermediate certificates may follow our own. */
  readonly certificatePem: string
  readonly keyPem: string
  readonly certificate: X509Certificate
  readonly key: KeyObject
  readonly notBefore: Temporal.Instant
  readonly notAfter: Temporal.Instant
  /** Our licence, e.g. `PSDNO-FSA-123456789`; null where the certificate names none. */
  readonly organizationIdentifier: string | null
  readonly roles: readonly Psd2Role[]
}

/** Reads a certificate and its key; the error says what is wrong with them. */
export function readOwnCertificate(use: CertificateUse, certificatePem: string, keyPem: string): OwnCertificate {
  const certificate = certificateIn(use, certificatePem)
  const key = keyIn(use, keyPem)
  const { type, roles } = qualifiedStatementsOf(certificate.raw)
  if (!certificate.checkPrivateKey(key)) {
    throw new Error(`The key of the ${use} does not belong to its certificate`)
  }
  if (type !== null && type !== use) {
    throw new Error(`The certificate given as ${use} is a ${type}`)
  }
  if (use === 'QSEAL' && key.asymmetricKeyType !== 'rsa') {
    throw new Error(`Banks take RSA signatures; the key of the QSEAL is ${key.asymmetricKeyType}`)
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

/** Whether the certificate may be used at a moment. */
export function isValidAt({ notBefore, notAfter }: OwnCertificate, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(notBefore, at) <= 0 && Temporal.Instant.compare(at, notAfter) < 0
}

function certificateIn(use: CertificateUse, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new Error(`The certificate of the ${use} is no X.509 certificate in PEM`, { cause })
  }
}

function keyIn(use: CertificateUse, pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) {
    throw new Error(`The key of the ${use} is encrypted: give it in plain PEM, readable by this program alone`)
  }
  try {
    return createPrivateKey(pem)
  } catch {
    // The cause is left out: it may show parts of the key.
    throw new Error(`The key of the ${use} is no private key in PEM`)
  }
}

function organizationIdentifierOf(certificate: X509Certificate): string | null {
  const line = certificate.subject.split('\n').find((part) => part.startsWith('organizationIdentifier='))
  return line?.slice('organizationIdentifier='.length) ?? null
}
