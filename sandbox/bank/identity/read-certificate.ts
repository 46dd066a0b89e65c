/** Reads client certificates and validates their dates, issuer and revocation, with a cache: that costs more than a call does. */
import { type KeyObject, X509Certificate } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js'
import { type Xs2aError, xs2aError } from '../xs2a-error.ts'

/** The properties that the bank validates. */
export type CertificateFacts = {
  readonly validFromMilliseconds: number
  readonly validToMilliseconds: number
  /** Hexadecimal, without leading zeros and in lower case. */
  readonly serialNumber: string
  /** The parts of the issuer's name, the most specific first. */
  readonly issuer: readonly string[]
  /** The organisation identifier of the certificate's owner. */
  readonly organisation: string | undefined
  readonly psd2Roles: readonly string[]
  readonly publicKey: KeyObject
}

/** A bank has few third parties; a larger number indicates an attack. */
const CERTIFICATES_MAX = 100
const certificatesByText = new Map<string, X509Certificate>()
const certificatesBySocket = new WeakMap<TLSSocket, X509Certificate>()
const factsByCertificate = new WeakMap<X509Certificate, CertificateFacts>()
/** For each certificate, the authorities of its last successful issuer check. */
const issuersByCertificate = new WeakMap<X509Certificate, readonly X509Certificate[]>()

/** The certificate in DER or PEM that a header carries in base64. Throws when it is invalid. */
export function parseHeaderCertificate(text: string): X509Certificate {
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

/** The peer's certificate; it is the same for the lifetime of a connection. */
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

export function readCertificateFacts(certificate: X509Certificate): CertificateFacts {
  const known = factsByCertificate.get(certificate)
  if (known !== undefined) {
    return known
  }
  const facts = {
    validFromMilliseconds: certificate.validFromDate.getTime(),
    validToMilliseconds: certificate.validToDate.getTime(),
    serialNumber: plainHexadecimal(certificate.serialNumber),
    issuer: certificate.issuer.split('\n').reverse(),
    organisation: /^organizationIdentifier=(.+)$/m.exec(certificate.subject)?.[1],
    psd2Roles: psd2RolesOf(certificate.raw),
    publicKey: certificate.publicKey,
  }
  factsByCertificate.set(certificate, facts)
  return facts
}

/** A hexadecimal number without leading zeros and in lower case, as two spellings of one number are the same text. */
export function plainHexadecimal(text: string): string {
  return BigInt(`0x${text}`).toString(16)
}

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

const QC_STATEMENTS = '1.3.6.1.5.5.7.1.3'
const PSD2_STATEMENT = '0.4.0.19495.2'
const ROLE_BY_OID: ReadonlyMap<string, string> = new Map([
  ['0.4.0.19495.1.1', 'PSP_AS'],
  ['0.4.0.19495.1.2', 'PSP_PI'],
  ['0.4.0.19495.1.3', 'PSP_AI'],
  ['0.4.0.19495.1.4', 'PSP_IC'],
])

/** The roles; none where the certificate has no such statement or cannot be parsed. */
function psd2RolesOf(certificate: Buffer): readonly string[] {
  const extension = contentNamed(flatten(certificate), QC_STATEMENTS)
  const statements = extension?.find((node) => node instanceof OctetString)?.getValue()
  const licensed = statements && contentNamed(flatten(statements), PSD2_STATEMENT)
  return (licensed ?? []).flatMap(withinNode).flatMap((node) => ROLE_BY_OID.get(idOf(node) ?? '') ?? [])
}

/** What a sequence has that begins with this identifier. */
function contentNamed(nodes: readonly BaseBlock[], identifier: string): readonly BaseBlock[] | undefined {
  return nodes.map(childrenOf).find(([name]) => idOf(name) === identifier)
}

function flatten(bytes: Buffer | ArrayBuffer): readonly BaseBlock[] {
  const { result, offset } = fromBER(bytes)
  return offset === -1 ? [] : withinNode(result)
}

function withinNode(node: BaseBlock): readonly BaseBlock[] {
  return [node, ...childrenOf(node).flatMap(withinNode)]
}

function childrenOf(node: BaseBlock): readonly BaseBlock[] {
  return node instanceof Constructed ? node.valueBlock.value : []
}

function idOf(node: BaseBlock | undefined): string | undefined {
  return node instanceof ObjectIdentifier ? node.getValue() : undefined
}
