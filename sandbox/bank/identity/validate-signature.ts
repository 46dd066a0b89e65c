/** Validates the signature of a message (NextGenPSD2, draft-cavage-http-signatures-10). */
import { createHash, timingSafeEqual, verify, type X509Certificate } from 'node:crypto'
import { parseHeaderCertificate, plainHexadecimal, readCertificateFacts, unauthorised } from './read-certificate.ts'

/** A request as received. */
export type SignedMessage = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

type SignatureHeader = {
  readonly keyId: string
  readonly algorithm: string
  readonly headers: string
  readonly signature: string
}

/** Signed always, and signed if present. */
const ALWAYS_SIGNED = ['digest', 'x-request-id'] as const
const SIGNED_IF_SENT = ['psu-id', 'psu-corporate-id', 'tpp-redirect-uri'] as const
const SIGNATURE_PARTS = ['keyId', 'algorithm', 'headers', 'signature'].map(
  (name) => new RegExp(`(?:^|,)\\s*${name}="([^"]*)"`),
)
const HASH_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['SHA-256', 'sha256'],
  ['SHA-512', 'sha512'],
  ['rsa-sha256', 'sha256'],
  ['rsa-sha512', 'sha512'],
])

/** The certificate that a message was signed with; rejects a message without signature or certificate. */
export function certificateOf({ headers }: SignedMessage): X509Certificate {
  if (textOf(headers, 'signature') === undefined || textOf(headers, 'digest') === undefined) {
    throw unauthorised('SIGNATURE_MISSING', 'The bank requires Digest and Signature')
  }
  const text = textOf(headers, 'tpp-signature-certificate')
  if (text === undefined) {
    throw unauthorised('CERTIFICATE_MISSING', 'The bank requires TPP-Signature-Certificate')
  }
  try {
    return parseHeaderCertificate(text)
  } catch {
    throw unauthorised('CERTIFICATE_INVALID', 'TPP-Signature-Certificate is no certificate')
  }
}

/** Rejects a message whose signature does not match its content and the certificate. */
export function requireSignature(
  message: SignedMessage,
  certificate: X509Certificate,
  { dateFirst }: { readonly dateFirst: boolean },
): void {
  const header = readSignature(textOf(message.headers, 'signature') ?? '')
  const hash = HASH_BY_NAME.get(header.algorithm)
  if (hash === undefined || !header.algorithm.startsWith('rsa-')) {
    throw invalid(`The bank does not support the algorithm ${header.algorithm}`)
  }
  requireKeyId(header.keyId, certificate)
  const names = header.headers.split(' ')
  requireSigned(names, message, dateFirst)
  requireDigest(textOf(message.headers, 'digest') ?? '', message.body)
  const lines = names.map((name) => `${name}: ${textOf(message.headers, name)}`)
  const signature = Buffer.from(header.signature, 'base64')
  if (!verify(hash, Buffer.from(lines.join('\n'), 'latin1'), readCertificateFacts(certificate).publicKey, signature)) {
    throw invalid('The signature is not of this message, or not by this certificate')
  }
}

function readSignature(text: string): SignatureHeader {
  const [keyId, algorithm, headers, signature] = SIGNATURE_PARTS.map((part) => part.exec(text)?.[1])
  if (keyId === undefined || algorithm === undefined || headers === undefined || signature === undefined) {
    throw invalid('Signature must have keyId, algorithm, headers and signature')
  }
  return { keyId, algorithm, headers, signature }
}

/** The issuer's name may have escaped spaces; it begins with its most specific part. */
function requireKeyId(keyId: string, certificate: X509Certificate): void {
  const { serialNumber, issuer } = readCertificateFacts(certificate)
  const [, serial = '', name = ''] = /^SN=([0-9a-fA-F]+),CA=(.+)$/.exec(keyId) ?? []
  const given = name.replaceAll('%20', ' ').split(/(?<!\\),/)
  const isSame = given.length === issuer.length && given.every((one, index) => one.trim() === issuer[index])
  if (serial === '' || plainHexadecimal(serial) !== serialNumber || !isSame) {
    throw invalid('keyId does not match the certificate')
  }
}

/** The list must contain exactly the headers that the standard requires to be signed. */
function requireSigned(names: readonly string[], { headers }: SignedMessage, dateFirst: boolean): void {
  const sent = SIGNED_IF_SENT.filter((name) => headers[name] !== undefined)
  const wanted = [...(dateFirst ? ['date'] : []), ...ALWAYS_SIGNED, ...sent]
  const lacking = wanted.filter((name) => !names.includes(name))
  if (lacking.length > 0) {
    throw invalid(`Not signed, but must be: ${lacking.join(', ')}`)
  }
  if (names.length !== wanted.length || (dateFirst && names[0] !== 'date')) {
    throw invalid(`Signed must be ${wanted.join(' ')}, and nothing else`)
  }
  const absent = names.filter((name) => textOf(headers, name) === undefined)
  if (absent.length > 0) {
    throw invalid(`Signed, but not sent: ${absent.join(', ')}`)
  }
}

function requireDigest(digest: string, body: Buffer): void {
  const [, name = '', value = ''] = /^(SHA-256|SHA-512)=(.+)$/.exec(digest) ?? []
  const hash = HASH_BY_NAME.get(name)
  if (hash === undefined) {
    throw invalid('Digest must be SHA-256 or SHA-512')
  }
  const found = createHash(hash).update(body).digest()
  const given = Buffer.from(value, 'base64')
  if (given.length !== found.length || !timingSafeEqual(given, found)) {
    throw invalid('Digest does not match the body')
  }
}

function textOf(headers: SignedMessage['headers'], name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function invalid(text: string) {
  return unauthorised('SIGNATURE_INVALID', text)
}
