/** Validates a certificate: its dates, its issuer and its revocation. */
import { X509Certificate } from 'node:crypto'
import { type Xs2aError, xs2aError } from '../xs2a-error.ts'
import { isIssuedByOneOf, readCertificateFacts } from './read-certificate.ts'

export type TrustAnchors = {
  /** Trusted issuers. */
  readonly authorities: readonly X509Certificate[]
  /** Of a serial number in hexadecimal, without leading zeros and in lower case. */
  readonly isRevoked: (serialNumber: string) => boolean
  readonly now: () => Temporal.Instant
}

/** Rejects an invalid certificate; `what` names it. */
export function requireTrustedCertificate(certificate: X509Certificate, what: string, trust: TrustAnchors): void {
  const now = trust.now().epochMilliseconds
  const { validFromMilliseconds, validToMilliseconds, serialNumber } = readCertificateFacts(certificate)
  if (now < validFromMilliseconds || now >= validToMilliseconds) {
    throw unauthorised('CERTIFICATE_EXPIRED', `The ${what} is not valid at present`)
  }
  if (!isIssuedByOneOf(trust.authorities, certificate)) {
    throw unauthorised('CERTIFICATE_INVALID', `The ${what} is from no CA that the bank trusts`)
  }
  if (trust.isRevoked(serialNumber)) {
    throw unauthorised('CERTIFICATE_REVOKED', `The ${what} was revoked`)
  }
}

export function parseCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

export function unauthorised(code: string, text: string): Xs2aError {
  return xs2aError(401, code, text)
}
