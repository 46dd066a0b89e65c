/** Decides whether the bank believes a certificate: its dates, who issued it, and whether it was revoked since. */
import { X509Certificate } from 'node:crypto'
import { refuse, type Xs2aRefusal } from '../refusal.ts'
import { factsOf, isIssuedByOneOf } from './read-certificate.ts'

/** What certificates are held against. */
export type Trust = {
  /** Issuers that the bank believes. */
  readonly authorities: readonly X509Certificate[]
  /** Serial numbers, as hexadecimal numbers of any spelling. */
  readonly isRevoked: (serialNumber: string) => boolean
  readonly now: () => Temporal.Instant
}

/** Refuses a certificate that is not good; `what` names it. */
export function requireGoodCertificate(certificate: X509Certificate, what: string, trust: Trust): void {
  const now = trust.now().epochMilliseconds
  const { validFromMilliseconds, validToMilliseconds, serialNumber } = factsOf(certificate)
  if (now < validFromMilliseconds || now >= validToMilliseconds) {
    throw unauthorised('CERTIFICATE_EXPIRED', `The ${what} is not valid at present`)
  }
  if (!isIssuedByOneOf(trust.authorities, certificate)) {
    throw unauthorised('CERTIFICATE_INVALID', `The ${what} is from no authority that the bank believes`)
  }
  if (trust.isRevoked(serialNumber)) {
    throw unauthorised('CERTIFICATE_REVOKED', `The ${what} was revoked`)
  }
}

/** Reads the certificates of a PEM text, one after the other. */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

export function unauthorised(code: string, text: string): Xs2aRefusal {
  return refuse(401, code, text)
}
