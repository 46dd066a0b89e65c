/** Reads certificates that come with every call, each of them once: parsing and checking them costs more than a call does. */
import { type KeyObject, X509Certificate } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import { psd2RolesOf } from './psd2-roles.ts'

/** What the bank decides by. */
export type CertificateFacts = {
  readonly validFromMilliseconds: number
  readonly validToMilliseconds: number
  /** Hexadecimal. */
  readonly serialNumber: string
  /** The parts of the issuer's name, the innermost first. */
  readonly issuer: readonly string[]
  /** The identifier of the organisation that the certificate names as its owner. */
  readonly organisation: string | undefined
  readonly psd2Roles: readonly string[]
  readonly publicKey: KeyObject
}

/** A bank has few third parties; more certificates than this are somebody's attempt. */
const CERTIFICATES_MAX = 100
const certificatesByText = new Map<string, X509Certificate>()
const certificatesBySocket = new WeakMap<TLSSocket, X509Certificate>()
const factsByCertificate = new WeakMap<X509Certificate, CertificateFacts>()
/** The authorities that a certificate was last found to be issued by one of. */
const issuersByCertificate = new WeakMap<X509Certificate, readonly X509Certificate[]>()

/** The certificate in DER or PEM that a header carries in base64. Throws when it is none. */
export function certificateInHeader(text: string): X509Certificate {
  const known = certificatesByText.get(text)
  if (known !== undefined) {
    return known
  }
  const certificate = new X509Certificate(Buffer.from(text.replace(/-----[A-Z ]+-----/g, ''), 'base64'))
  if (certificatesByText.size >= CERTIFICATES_MAX) {
    certificatesByText.clear()
  }
  certificatesByText.set(text, certificate)
  return certificate
}

/** The certificate that the other side of a connection has shown; it stays the same as long as the connection lasts. */
export function certificateOfConnection(socket: unknown): X509Certificate | undefined {
  if (!(socket instanceof TLSSocket)) {
    return undefined
  }
  const certificate = certificatesBySocket.get(socket) ?? socket.getPeerX509Certificate()
  if (certificate !== undefined) {
    certificatesBySocket.set(socket, certificate)
  }
  return certificate
}

/** What a certificate says. */
export function factsOf(certificate: X509Certificate): CertificateFacts {
  const known = factsByCertificate.get(certificate)
  if (known !== undefined) {
    return known
  }
  const facts = {
    validFromMilliseconds: certificate.validFromDate.getTime(),
    validToMilliseconds: certificate.validToDate.getTime(),
    serialNumber: certificate.serialNumber,
    issuer: certificate.issuer.split('\n').reverse(),
    organisation: /^organizationIdentifier=(.+)$/m.exec(certificate.subject)?.[1],
    psd2Roles: psd2RolesOf(certificate.raw),
    publicKey: certificate.publicKey,
  }
  factsByCertificate.set(certificate, facts)
  return facts
}

/** Whether one of the authorities has issued a certificate. */
export function isIssuedByOneOf(authorities: readonly X509Certificate[], certificate: X509Certificate): boolean {
  if (issuersByCertificate.get(certificate) === authorities) {
    return true
  }
  const isIssued = authorities.some((issuer) => certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey))
  if (isIssued) {
    issuersByCertificate.set(certificate, authorities)
  }
  return isIssued
}
